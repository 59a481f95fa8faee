// Watches the Pods that copy volumes, whose changes run the fork. Pods of other clusters are polled.
import { type Pod, pods } from '../../engine/kube/builtin.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { type KeyMapper, type Watched, watch } from '../../operator/controller/watch.js'
import { ensureIndex } from '../../operator/owner/ensure-index.js'
import { forkLabel } from './volume-pods.js'

const index = 'modules/fork-pods'

const keys: KeyMapper<KubeObject> = {
  prepare: (workspaces) =>
    ensureIndex(workspaces, index, ({ metadata }) => (metadata.uid ? [metadata.uid] : [])),
  keysOf: ({ metadata }, workspaces) =>
    workspaces.byIndex(index, metadata.labels?.[forkLabel] ?? '').map(keyOf),
}

/** The watch of those Pods. */
export const watchesOfCopies: readonly Watched[] = [
  watch<Pod>(pods, { labelSelector: forkLabel, metadataOnly: true, keys }) as never,
]
