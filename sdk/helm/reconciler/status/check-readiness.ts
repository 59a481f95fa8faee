/** The condition `Ready`: whether the deployed objects run, by the rules of `helm --wait`. */
import uniqBy from 'lodash/uniqBy.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { deployedOf } from '../../release/history.js'
import type { RecordedManifest } from '../../release/recorded-objects.js'
import { mapLimited } from '../objects/map-limited.js'
import { type CheckedObject, isRunning, mayStop } from '../objects/readiness.js'
import { belongsTo, idOf, listNames, type ReleaseObject } from '../objects/release-object.js'
import { placedIfServed } from '../run/placed-if-served.js'
import type { ReconcileRun } from '../run/release-run.js'

/**
 * Checks the objects of a deployed release, by the states that the run knows, and sets the condition `Ready`. Returns
 * whether all run. An object that exists counts as absent if `isOwn` denies it; default: none does.
 */
export async function checkReadiness(
  run: ReconcileRun,
  objects: readonly ReleaseObject[],
  isOwn: (live: KubeObject) => boolean = () => true,
): Promise<boolean> {
  const stoppable = uniqBy(objects.filter(mayStop), idOf)
  const checked = await mapLimited(stoppable, (object) => readReadiness(run, object, isOwn))
  run.readiness.objects = checked
  const stopped = checked.filter((one) => !one.isRunning)
  const isReady = stopped.length === 0
  const are = stopped.length === 1 ? 'is' : 'are'
  if (isReady) run.ctx.condition('Ready', true, 'Running')
  else run.ctx.condition('Ready', false, 'NotReady', `${listNames(stopped)} ${are} not ready`)
  return isReady
}

async function readReadiness(
  { live }: ReconcileRun,
  object: ReleaseObject,
  isOwn: (live: KubeObject) => boolean,
): Promise<CheckedObject> {
  const { resource, key } = object
  const latest = await live.latest(object)
  const liveObject = latest && isOwn(latest) ? latest : undefined
  const version = liveObject?.metadata.resourceVersion ?? ''
  return { resource, key, version, isRunning: isRunning(object, liveObject) }
}

/**
 * Sets the condition `Ready` at the end of a run that has not set it. During an operation, and after a failed one, the
 * objects of the deployed revision are checked, or `objects`, if these have replaced them.
 */
export async function checkDeployedReadiness(
  run: ReconcileRun,
  objects?: readonly ReleaseObject[],
): Promise<void> {
  const { lastRead } = run.store
  if (run.readiness.objects || !lastRead) return
  const deployed = deployedOf(lastRead)
  if (!deployed) return run.ctx.condition('Ready', false, 'NotDeployed', 'no revision is deployed')
  if (objects) await checkReadiness(run, objects)
  else await checkServedReadiness(run, deployed.release)
}

/**
 * Checks the objects of served kinds that belong to the release: a record that users edited may name others. If these
 * run but an API does not answer, the condition is `Unknown`.
 */
async function checkServedReadiness(run: ReconcileRun, release: RecordedManifest): Promise<void> {
  const unavailable: string[] = []
  const placed = await placedIfServed(run, release, ({ message }) => unavailable.push(message))
  const isReady = await checkReadiness(run, placed, (live) => belongsTo(live, run.release))
  if (isReady && unavailable[0]) run.ctx.condition('Ready', 'Unknown', 'ApiUnavailable', unavailable[0])
}

/** Like {@link checkDeployedReadiness}, after an error, which a further error must not hide. */
export async function checkReadinessAfterError(run: ReconcileRun): Promise<void> {
  if (run.ctx.signal.aborted) return
  await checkDeployedReadiness(run).catch((error: unknown) =>
    run.ctx.logger.debug({ error }, 'the objects of the release cannot be read after an error'),
  )
}
