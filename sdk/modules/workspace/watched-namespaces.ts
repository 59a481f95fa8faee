// Watches the namespaces of managed Workspaces: a Workspace is deleted after its namespace.
import { type Namespace, namespaces } from '../../engine/kube/builtin.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { ControllerPermission } from '../../operator/controller/controller-permission.js'
import { type KeyMapper, type Watched, watch } from '../../operator/controller/watch.js'
import { ensureIndex } from '../../operator/owner/ensure-index.js'
import { helmPermissions } from '../helm/helm-permissions.js'
import { type PlacedWorkspace, placeOf, workspaceLabel } from '../managed/place.js'

const indexName = 'modules/namespace'

/** Maps a namespace to the key of its managed Workspace. */
const namespaceKeys: KeyMapper<KubeObject> = {
  prepare: (workspaces) =>
    ensureIndex(workspaces, indexName, (workspace) => {
      const { spec, metadata } = workspace as Partial<PlacedWorkspace>
      return spec?.type === 'managed' && metadata ? [placeOf({ metadata }).namespace] : []
    }),
  keysOf: ({ metadata }, workspaces) => workspaces.byIndex(indexName, metadata.name ?? '').map(keyOf),
}

/** The watch of the namespaces of managed Workspaces. */
export const watchesOfNamespaces: readonly Watched[] = [
  watch<Namespace>(namespaces, {
    labelSelector: workspaceLabel,
    metadataOnly: true,
    keys: namespaceKeys,
  }) as never,
]

/** The permissions for managed Workspaces without the objects of the chart. */
export const permissionsForManaged: readonly ControllerPermission[] = helmPermissions
