// The watches and the permissions of the controller of Workspaces, by the options of `moduleControllers`.
import type { ControllerOptions } from '../../operator/controller/definition.js'
import { watch } from '../../operator/controller/watch.js'
import { modules } from '../kinds/module-kind.js'
import type { Workspace } from '../kinds/workspace.js'
import { workspaces } from '../kinds/workspace-kind.js'
import type { ModulesOptions } from '../module/connection/modules-options.js'
import { permissionsForData } from './data-permissions.js'
import { watchesOfCopies } from './watched-copies.js'
import { watchesOfKubeconfigs } from './watched-kubeconfigs.js'
import { permissionsForManaged, watchesOfNamespaces } from './watched-namespaces.js'
import { permissionsForVclusters, watchesOfVclusters } from './watched-vclusters.js'

/** The options of `moduleControllers` about Workspaces. */
export type WorkspaceOptions = Pick<
  ModulesOptions,
  'workspaces' | 'vclusters' | 'kubeconfigs' | 'references' | 'forks' | 'forkData' | 'helm' | 'managed'
>

/** The options of the controller that follow from those of `moduleControllers`. */
export function controllerOptions({
  workspaces: cluster,
  vclusters,
  kubeconfigs,
  managed,
  forkData,
}: WorkspaceOptions): Omit<ControllerOptions<Workspace>, 'reconcile'> {
  return {
    ...(cluster !== undefined && { cluster }),
    finalizer: 'forkspacer.com/workspace',
    watches: [
      watch(modules, { keys: ({ spec }) => (spec?.workspace ? [spec.workspace] : []) }),
      ...(vclusters || managed ? watchesOfVclusters : []),
      ...(kubeconfigs || managed ? watchesOfKubeconfigs : []),
      ...(managed ? watchesOfNamespaces : []),
      ...(forkData?.volumes ? watchesOfCopies : []),
    ],
    permissions: [
      { resource: modules, verbs: ['create', 'delete', 'get'] },
      { resource: workspaces, verbs: ['patch'] },
      ...(vclusters || managed ? permissionsForVclusters : []),
      ...(managed ? permissionsForManaged : []),
      ...(forkData ? permissionsForData(forkData) : []),
    ],
  }
}
