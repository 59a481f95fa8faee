// Watches the Pods that copy volumes, whose changes run the fork. Pods of other clusters are polled.
import { type Pod, pods } from '../../engine/kube/builtin.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { type KeyMapper, type Watched, watch } from '../../operator/controller/watch.js'
import { ensureIndex } from '../../operator/owner/ensure-index.js'
import { forkLabel } from './volume-pods.js'

const indexName = 'modules/fork-pods'

/** Maps a Pod of a fork to the key of the fork, by the label with its UID. */
const podKeys: KeyMapper<KubeObject> = {
  prepare: (workspaces) =>
    ensureIndex(workspaces, indexName, ({ metadata }) => (metadata.uid ? [metadata.uid] : [])),
  keysOf: ({ metadata }, workspaces) =>
    workspaces.byIndex(indexName, metadata.labels?.[forkLabel] ?? '').map(keyOf),
}

/** The watch of those Pods. */
export const watchesOfCopies: readonly Watched[] = [
  watch<Pod>(pods, { labelSelector: forkLabel, metadataOnly: true, keys: podKeys }) as never,
]
