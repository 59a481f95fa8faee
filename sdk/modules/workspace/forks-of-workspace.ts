// The forks that wait for a Workspace, by an index of the cache of Workspaces.
import { formatKey, type Key, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Store } from '../../engine/store/store.js'
import { ensureIndex } from '../../operator/owner/ensure-index.js'
import type { Workspace } from '../kinds/workspace.js'

const indexName = 'modules/fork'

/** Adds the index of unfinished forks by the Workspace that they copy. */
export function indexByOrigin(workspaces: Store): void {
  ensureIndex(workspaces as Store<KubeObject>, indexName, (workspace) => {
    const { spec, status } = workspace as Partial<Workspace>
    return spec?.from && status?.fork?.phase !== 'done' ? [formatKey(spec.from)] : []
  })
}

/** The forks that wait for a Workspace. */
export const forksOf = (workspaces: Store, source: Key): Key[] =>
  workspaces.byIndex(indexName, formatKey(source)).map(keyOf)
