import { takeClientSideFields } from '../objects/client-side-fields.js'
import { mayHave } from '../objects/live-objects.js'
import type { ReleaseObject } from '../objects/release-object.js'
import type { ReleaseRun } from '../run/release-run.js'

/**
 * Makes fields that Helm applied client-side to an object of the release applied fields of this SDK. The caller has
 * checked that the object belongs to the release. Returns whether the object was changed.
 */
export function takeFields({ target, options }: ReleaseRun, object: ReleaseObject): Promise<boolean> {
  const { client, signal } = target
  return takeClientSideFields(object, { client, signal, formerFieldManagers: options.formerFieldManagers })
}

/** As {@link takeFields}, for those of the objects that exist and belong to the release. */
export async function takeFieldsOfOurs(run: ReleaseRun, objects: readonly ReleaseObject[]): Promise<void> {
  for (const object of objects) {
    const live = await run.live.read(object)
    if (live && mayHave(live, run.release, run.options)) await takeFields(run, object)
  }
}
