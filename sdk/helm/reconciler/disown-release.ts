import type { ReleaseStore } from '../release/release-store.js'

/**
 * Removes a custom resource as the owner from the stored revisions of its release. Called when a custom resource is
 * deleted or moved but its release shall stay: without an owner, another custom resource or the helm program may take
 * it over.
 */
export async function disownRelease(
  store: ReleaseStore,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  { uid, signal }: { readonly uid: string; readonly signal: AbortSignal },
): Promise<void> {
  for (const revision of await store.revisions(namespace, name, signal))
    if (revision.owner === uid)
      await store.update({ ...revision, owner: undefined, ownerReferences: [] }, signal)
}
