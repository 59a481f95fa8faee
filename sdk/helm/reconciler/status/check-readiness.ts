/** The condition `Ready`: whether the deployed objects run, by the rules of `helm --wait`. */
import { deployedOf } from '../../release/history.js'
import { type CheckedObject, isRunning, mayStop } from '../objects/readiness.js'
import { listNames, type ReleaseObject } from '../objects/release-object.js'
import { placedIfServed } from '../run/placed-if-served.js'
import type { ReconcileRun } from '../run/release-run.js'

/**
 * Checks the objects of a deployed release, by the states that the run knows, and sets the condition `Ready`. Returns
 * whether all run.
 */
export async function checkReadiness(run: ReconcileRun, objects: readonly ReleaseObject[]): Promise<boolean> {
  const checked = await Promise.all(objects.filter(mayStop).map((object) => readReadiness(run, object)))
  run.readiness.objects = checked
  const stopped = checked.filter((one) => !one.isRunning)
  const isReady = stopped.length === 0
  const are = stopped.length === 1 ? 'is' : 'are'
  if (isReady) run.ctx.condition('Ready', true, 'Running')
  else run.ctx.condition('Ready', false, 'NotReady', `${listNames(stopped)} ${are} not ready`)
  return isReady
}

async function readReadiness({ live }: ReconcileRun, object: ReleaseObject): Promise<CheckedObject> {
  const { resource, key } = object
  const liveObject = await live.latest(object)
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
  else await checkServedReadiness(run, deployed.release.manifest)
}

/** Checks the objects of served kinds. If these run but an API does not answer, the condition is `Unknown`. */
async function checkServedReadiness(run: ReconcileRun, manifest: string): Promise<void> {
  const unavailable: string[] = []
  const placed = await placedIfServed(run, manifest, ({ message }) => unavailable.push(message))
  const isReady = await checkReadiness(run, placed)
  if (isReady && unavailable[0]) run.ctx.condition('Ready', 'Unknown', 'ApiUnavailable', unavailable[0])
}

/** Like {@link checkDeployedReadiness}, after an error, which a further error must not hide. */
export async function checkReadinessAfterError(run: ReconcileRun): Promise<void> {
  if (run.ctx.signal.aborted) return
  await checkDeployedReadiness(run).catch((error: unknown) =>
    run.ctx.logger.debug({ error }, 'the objects of the release cannot be read after an error'),
  )
}
