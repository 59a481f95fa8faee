import type { KubeObject } from '../kube/object.js'
import type { ControllerDefinition } from '../operator/engine/controller.js'
import { type ModuleControllerOptions, moduleController } from './module/module-controller.js'
import { workspaceController } from './workspace/workspace-controller.js'

/** Options of {@link registerModules}. */
export interface ModulesOptions extends Omit<ModuleControllerOptions, 'cluster'> {
  /**
   * The cluster that holds Workspaces and Modules: `virtual` or `host` in a plugin of a vcluster; default the only cluster of an
   * operator.
   */
  readonly workspaces?: string
}

/** A program that takes controllers: an operator, or a plugin of a vcluster. */
export interface ControllerProgram {
  /** Takes a controller. */
  register<T extends KubeObject>(controller: ControllerDefinition<T>): void
}

/**
 * Registers the controllers of Modules and Workspaces. Apply the definitions of both kinds before the program starts.
 *
 * @example
 * ```ts
 * const operator = createOperator({ name: 'modules' })
 * registerModules(operator, {
 *   builtIn: { Backup: backupProgram },
 *   programs: { allow: ['https://programs.example/'] },
 * })
 * await operator.start()
 * ```
 */
export function registerModules(program: ControllerProgram, options: ModulesOptions = {}): void {
  const { workspaces: cluster, ...others } = options
  const inCluster = cluster === undefined ? {} : { cluster }
  program.register(workspaceController(inCluster))
  program.register(moduleController({ ...others, ...inCluster }))
}
