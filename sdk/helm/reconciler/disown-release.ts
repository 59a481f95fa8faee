import type { ReleaseStore } from '../release/release-store.js'

/** Removes an owner from the revisions of a release. The release stays, without an owner. */
export async function disownRelease(
  store: ReleaseStore,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  { uid, signal }: { readonly uid: string; readonly signal: AbortSignal },
): Promise<void> {
  for (const revision of await store.revisions(namespace, name, signal))
    if (revision.owner === uid)
      await store.update({ ...revision, owner: undefined, ownerReferences: [] }, signal)
}
