// The Secrets with kubeconfigs, whose changes run the Workspaces that name them.
import { type Secret, secrets } from '../../engine/kube/builtin.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { type KeyMapper, type Watched, watch } from '../../operator/controller/watch.js'
import { ensureIndex } from '../../operator/owner/ensure-index.js'
import { connectionOf, type PlacedWorkspace } from '../managed/place.js'

const indexName = 'modules/kubeconfig'

/** Maps a Secret to the keys of the Workspaces that name it. */
const secretKeys: KeyMapper<KubeObject> = {
  prepare: (workspaces) =>
    ensureIndex(workspaces, indexName, (workspace) => {
      const { spec, metadata } = workspace as Partial<PlacedWorkspace>
      const secretReference = spec && metadata && connectionOf({ spec, metadata }).secretReference
      return secretReference ? [formatKey(secretReference)] : []
    }),
  keysOf: (secret, workspaces) => workspaces.byIndex(indexName, formatKey(keyOf(secret))).map(keyOf),
}

/** The watch of the Secrets. */
export const watchesOfKubeconfigs: readonly Watched[] = [
  watch<Secret>(secrets, { metadataOnly: true, keys: secretKeys }) as never,
]
