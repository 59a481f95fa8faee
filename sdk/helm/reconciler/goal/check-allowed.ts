import { type PlacedObject, refusedObjects } from '../../policy/release-policy.js'
import { objectsOf } from '../../render/manifest.js'
import type { RenderedObject } from '../../render/renderer.js'
import { IrreconcilableError } from '../problem/problem.js'
import type { ReleaseRun } from '../run/release-run.js'
import type { WantedRelease } from './wanted-release.js'

/**
 * Rejects with {@link IrreconcilableError} `NotAllowed` if the policy refuses an object of the release, of its hooks,
 * or of `crds/`. It is called before anything is written.
 */
export async function checkAllowed(run: ReleaseRun, { rendered }: WantedRelease): Promise<void> {
  const { allow, crds } = run.options
  if (!allow) return
  const hooks = await Promise.all(rendered.hooks.map(({ manifest }) => objectsOf(manifest)))
  const definitions = crds === 'skip' ? [] : rendered.crds
  await checkObjectsAllowed(run, [...rendered.objects, ...hooks.flat(), ...definitions])
}

/** Rejects with {@link IrreconcilableError} `NotAllowed` if the policy refuses one of these objects. */
export async function checkObjectsAllowed(
  run: ReleaseRun,
  objects: readonly RenderedObject[],
): Promise<void> {
  const { allow } = run.options
  if (!allow) return
  const placed = await Promise.all(objects.map((object) => placedObject(run, object)))
  const scope = { namespace: run.release.namespace, vcluster: run.target.vcluster }
  const refused = refusedObjects(allow, placed, scope)
  if (refused.length === 0) return
  throw new IrreconcilableError(
    'NotAllowed',
    `the policy of this operator does not allow: ${refused.join('; ')}; change the values, or ask for another policy`,
  )
}

/** A kind that only `crds/` defines is not served yet: a namespace is assumed for its objects. */
async function placedObject(
  { kinds, release }: ReleaseRun,
  { object }: RenderedObject,
): Promise<PlacedObject> {
  const resource = await kinds.find(object.apiVersion ?? '', object.kind ?? '')
  const namespace = object.metadata.namespace || release.namespace
  return {
    object,
    namespaced: resource?.namespaced,
    namespace: resource?.namespaced === false ? '' : namespace,
  }
}
