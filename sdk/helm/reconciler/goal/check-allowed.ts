import { editableKinds } from '../../policy/editable-kinds.js'
import { type PlacedObject, type ReleasePolicy, refusedObjects } from '../../policy/release-policy.js'
import { objectsOf } from '../../render/manifest.js'
import type { RenderedObject } from '../../render/renderer.js'
import { IrreconcilableError } from '../problem/problem.js'
import type { ReleaseRun } from '../run/release-run.js'
import { checkRenderedNow } from './check-rendered-now.js'
import type { RenderingNow, WantedRelease } from './wanted-release.js'

/**
 * The policy for records: what users who may write Secrets can create themselves, and the kinds that the policy of the
 * release names. Users of a namespace need no record to mount folders in their Pods.
 */
const recordPolicy = (allow: ReleasePolicy = { hostPaths: true }): ReleasePolicy => ({
  ...allow,
  kinds: allow.kinds ?? editableKinds,
})

/**
 * Rejects with {@link IrreconcilableError} `NotAllowed` if the policy refuses an object of the release, of its hooks,
 * or of `crds/`. Without a policy, a rendered release may have any objects, and a recorded one those that
 * {@link checkRecordedObjects} permits. It is called before anything is written.
 */
export async function checkAllowed(run: ReleaseRun, { rendered, now }: WantedRelease): Promise<void> {
  const { allow, crds } = run.options
  if (!allow && !now) return
  const hooks = await Promise.all(rendered.hooks.map(({ manifest }) => objectsOf(manifest)))
  const definitions = crds === 'skip' ? [] : rendered.crds
  await checkRecordedObjects(run, [...rendered.objects, ...hooks.flat(), ...definitions], now)
}

/**
 * Rejects with {@link IrreconcilableError} `NotAllowed` if a record must not have one of these objects. Users who may
 * write Secrets can edit records. So objects outside of the namespace of the release, and those of kinds that the role
 * `edit` may not write, have to be those that the chart makes now, unless the policy names them. Without
 * `now`, the objects are of no record.
 */
export async function checkRecordedObjects(
  run: ReleaseRun,
  objects: readonly RenderedObject[],
  now: RenderingNow | undefined,
): Promise<void> {
  const { allow } = run.options
  const placed = await Promise.all(objects.map((object) => placedObject(run, object)))
  const scope = { namespace: run.release.namespace, vcluster: run.target.vcluster }
  const refusedBy = (policy: ReleasePolicy) =>
    placed.flatMap((one) =>
      refusedObjects(policy, [one], scope).map((reason) => ({ object: one.object, reason })),
    )
  const refused = allow ? refusedBy(allow) : []
  if (refused.length > 0) {
    const reasons = refused.map(({ reason }) => reason).join('; ')
    throw new IrreconcilableError(
      'NotAllowed',
      `the policy of this operator does not allow: ${reasons}; change the values, or ask for another policy`,
    )
  }
  const doubtful = now ? refusedBy(recordPolicy(allow)) : []
  if (now && doubtful.length > 0) await checkRenderedNow(run, doubtful, now)
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
