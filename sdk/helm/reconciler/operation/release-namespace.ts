import { namespaces } from '../../../engine/kube/builtin.js'
import { isAlreadyExists, isNotFound } from '../../../engine/kube/error.js'
import type { ReleaseRun } from '../run/release-run.js'

/** With `createNamespace`, creates the namespace of a release if it is absent. The namespace is never deleted. */
export async function ensureNamespace({
  options,
  release: { namespace },
  target: { client, signal },
}: ReleaseRun): Promise<void> {
  if (!options.createNamespace) return
  const live = await client
    .get(namespaces, { namespace: '', name: namespace }, { signal })
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error
      return undefined
    })
  if (live) return
  const body = { metadata: { name: namespace, labels: { name: namespace } } }
  await client.create(namespaces, body, { signal }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error
  })
}
