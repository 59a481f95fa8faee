import type { KubeObject } from '../../../engine/kube/object.js'
import { type RecordedManifest, recordedObjects } from '../../release/recorded-objects.js'
import type { RenderedObject } from '../../render/renderer.js'
import { placeAs, type ReleaseObject } from '../objects/release-object.js'
import { ApiUnavailableError } from '../problem/api-unavailable.js'
import type { ReleaseRun } from './release-run.js'

/** Called for each object whose API does not answer. */
type OnUnavailable = (error: ApiUnavailableError, object: KubeObject) => void

/**
 * The objects of a record whose kinds are served, in whatever version; a kind that is no longer served has no
 * objects. Objects whose API does not answer are left out and reported; without `onUnavailable` they are an error.
 */
export async function placedIfServed(
  run: ReleaseRun,
  release: RecordedManifest,
  onUnavailable?: OnUnavailable,
): Promise<ReleaseObject[]> {
  return placedServed(run, await recordedObjects(release), onUnavailable)
}

/** The objects whose kinds are served, in whatever version. */
export async function placedServed(
  run: ReleaseRun,
  objects: readonly RenderedObject[],
  onUnavailable?: OnUnavailable,
): Promise<ReleaseObject[]> {
  run.secretTexts.noteRendered(objects)
  const placed = await Promise.all(objects.map(({ object }) => placeServed(run, object, onUnavailable)))
  return placed.filter((candidate) => candidate !== undefined)
}

/** Finds the resource of an object, and gives it a namespace; undefined if the cluster does not serve its kind. */
async function placeServed(
  { kinds, release }: ReleaseRun,
  object: KubeObject,
  onUnavailable?: OnUnavailable,
): Promise<ReleaseObject | undefined> {
  try {
    const resource = await kinds.findInAnyVersion(object.apiVersion ?? '', object.kind ?? '')
    return resource && placeAs(resource, object, release.namespace)
  } catch (error) {
    if (!(error instanceof ApiUnavailableError) || !onUnavailable) throw error
    onUnavailable(error, object)
    return undefined
  }
}
