import type { KubeObject } from '../../../engine/kube/object.js'
import { objectsOf } from '../../render/manifest.js'
import type { RenderedObject } from '../../render/renderer.js'
import { placeObjects, type ReleaseObject } from '../objects/release-object.js'
import { ApiUnavailableError } from '../problem/api-unavailable.js'
import type { ReleaseRun } from './release-run.js'

/** Called for each object whose API does not answer. */
type OnUnavailable = (error: ApiUnavailableError, object: KubeObject) => void

/**
 * The objects of a manifest whose kinds are served; a kind that is no longer served has no objects. Objects whose API
 * does not answer are left out and reported; without `onUnavailable` they are an error.
 */
export async function placedIfServed(
  run: ReleaseRun,
  manifest: string,
  onUnavailable?: OnUnavailable,
): Promise<ReleaseObject[]> {
  return placedServed(run, await objectsOf(manifest), onUnavailable)
}

/** The objects whose kinds are served. */
export async function placedServed(
  run: ReleaseRun,
  objects: readonly RenderedObject[],
  onUnavailable?: OnUnavailable,
): Promise<ReleaseObject[]> {
  run.secretTexts.noteRendered(objects)
  const served = await Promise.all(objects.map(({ object }) => isServed(run, object, onUnavailable)))
  return placeObjects(
    objects.filter((_, index) => served[index]),
    run.kinds,
    run.release.namespace,
  )
}

/** Whether the cluster serves the kind of an object. */
async function isServed(
  { kinds }: ReleaseRun,
  object: KubeObject,
  onUnavailable?: OnUnavailable,
): Promise<boolean> {
  try {
    return (await kinds.find(object.apiVersion ?? '', object.kind ?? '')) !== undefined
  } catch (error) {
    if (!(error instanceof ApiUnavailableError) || !onUnavailable) throw error
    onUnavailable(error, object)
    return false
  }
}
