// The workloads of vclusters, whose changes run the Workspaces that name the vcluster.
import { type Deployment, deployments, pods } from '../../engine/kube/builtin.js'
import { type StatefulSet, statefulSets } from '../../engine/kube/builtin-workloads.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Store } from '../../engine/store/store.js'
import type { ControllerPermission } from '../../operator/controller/controller-permission.js'
import { type KeyMapper, type Watched, watch } from '../../operator/controller/watch.js'
import { ensureIndex } from '../../operator/owner/ensure-index.js'
import type { NamedObject } from '../kinds/module.js'
import type { Workspace } from '../kinds/workspace.js'
import { type PlacedWorkspace, vclusterOf } from '../managed/place.js'
import { vclusterSelector, workloadLabel } from './vcluster-workloads.js'

const indexName = 'modules/vcluster'

/** The Workspaces that name a vcluster. */
export const workspacesOf = (store: Store, vcluster: NamedObject): readonly Workspace[] =>
  store.byIndex(indexName, formatKey(vcluster)) as readonly KubeObject[] as readonly Workspace[]

/** Maps a workload of a vcluster to the keys of the Workspaces that name the vcluster. */
const workloadKeys: KeyMapper<KubeObject> = {
  prepare: (workspaces) =>
    ensureIndex(workspaces, indexName, (workspace) => {
      const { spec, metadata } = workspace as Partial<PlacedWorkspace>
      const vcluster = spec && metadata && vclusterOf({ spec, metadata })
      return vcluster ? [formatKey(vcluster)] : []
    }),
  keysOf: ({ metadata }, workspaces) => {
    const { namespace = '', labels = {} } = metadata
    const { [workloadLabel]: name } = labels
    if (name === undefined) return []
    return workspaces.byIndex(indexName, formatKey({ namespace, name })).map(keyOf)
  },
}

/** The watches of the workloads of all vclusters. */
export const watchesOfVclusters: readonly Watched[] = [
  watch<StatefulSet>(statefulSets, { labelSelector: vclusterSelector, keys: workloadKeys }) as never,
  watch<Deployment>(deployments, { labelSelector: vclusterSelector, keys: workloadKeys }) as never,
]

/** The permissions to put vclusters to sleep. */
export const permissionsForVclusters = [
  { resource: statefulSets, verbs: ['patch'] },
  { resource: deployments, verbs: ['patch'] },
  { resource: pods, verbs: ['list', 'delete'] },
] as never as readonly ControllerPermission[]
