import type { ControllerDefinition } from '../operator/engine/controller.js'
import type { Module } from './kinds/module.js'
import type { Workspace } from './kinds/workspace.js'
import { checkModulesOptions } from './module/connection/check-modules-options.js'
import { KubeconfigClusters } from './module/connection/kubeconfig-clusters.js'
import type { ModulesOptions } from './module/connection/modules-options.js'
import { moduleController } from './module/module-controller.js'
import { workspaceController } from './workspace/workspace-controller.js'

/**
 * The controllers of Workspaces and Modules, for an operator or a plugin of a vcluster. Apply the definitions of both
 * kinds before the program starts. Throws a `TypeError` for an option that does not exist.
 *
 * @example
 * ```ts
 * const operator = createOperator({ name: 'modules' })
 * operator.register(...moduleControllers({ programs: { allow: ['https://programs.example/'] } }))
 * await operator.start()
 * ```
 */
export function moduleControllers(
  options: ModulesOptions = {},
): readonly [ControllerDefinition<Workspace>, ControllerDefinition<Module>] {
  checkModulesOptions(options)
  const kubeconfigs = new KubeconfigClusters(
    typeof options.kubeconfigs === 'object' ? options.kubeconfigs : {},
  )
  return [workspaceController(options, kubeconfigs), moduleController(options, kubeconfigs)]
}
