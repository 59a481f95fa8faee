import type { KubeObject } from '../engine/kube/object.js'
import type { ControllerDefinition } from '../operator/engine/controller.js'
import { KubeconfigClusters } from './module/connection/kubeconfig-clusters.js'
import type { ModulesOptions } from './module/connection/modules-options.js'
import { moduleController } from './module/module-controller.js'
import { workspaceController } from './workspace/workspace-controller.js'

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
 * registerModules(operator, { programs: { allow: ['https://programs.example/'] } })
 * await operator.start()
 * ```
 */
export function registerModules(program: ControllerProgram, options: ModulesOptions = {}): void {
  const kubeconfigs = new KubeconfigClusters(
    typeof options.kubeconfigs === 'object' ? options.kubeconfigs : {},
  )
  program.register(workspaceController(options, kubeconfigs))
  program.register(moduleController(options, kubeconfigs))
}
