import type { ReleaseHook } from '../../render/release-hook.js'
import { RenderError } from '../../render/render-error.js'
import { isOfRun } from '../objects/hook-annotations.js'
import { lifetimeOf } from '../objects/job-lifetime.js'
import { isDefinition, type ReleaseObject } from '../objects/release-object.js'
import { OperationError } from '../problem/problem.js'
import { type HookEnvironment, noteEnd, objectsOfHook, runHook } from './chart-hooks.js'
import { logAdvice } from './hook-log-advice.js'

/**
 * Runs the hooks of an event one after the other, and then deletes their objects by their policies, as Helm does: a Job
 * may need the ServiceAccount and the Role that earlier hooks made. `hooks` returns the hooks in their order, with
 * their noted runs. Returns the object that runs; undefined when all have succeeded. If a hook fails, its objects and
 * those of the hooks before it are deleted by their policies, and the error of the hook is thrown.
 */
export async function runEventHooks(
  hooks: () => readonly ReleaseHook[],
  environment: HookEnvironment,
): Promise<ReleaseObject | undefined> {
  const failed = hooks().find(({ last_run }) => last_run?.phase === 'Failed')
  if (failed) {
    // An earlier process recorded the failure and died before the cleanup.
    await cleanUpAfterFailure(hooks(), environment)
    throw new OperationError(`the hook ${failed.kind} ${failed.name} failed; ${logAdvice(failed, failed)}`)
  }
  const next = () => nextOf(hooks())
  for (let hook = next(); hook; hook = next()) {
    const running = await runNextHook(hook, hooks, environment)
    if (running) return running
  }
  await environment.store()
  for (const hook of hooks().toReversed()) await cleanUp(hook, 'hook-succeeded', environment)
  return undefined
}

/** The first hook that has not ended. */
const nextOf = (hooks: readonly ReleaseHook[]) =>
  hooks.find(({ last_run }) => !['Succeeded', 'Unknown'].includes(last_run?.phase ?? ''))

/** Runs a hook. Leaves out a hook that can never run; records a failure, and cleans up after it. */
async function runNextHook(
  hook: ReleaseHook,
  hooks: () => readonly ReleaseHook[],
  environment: HookEnvironment,
): Promise<ReleaseObject | undefined> {
  try {
    return await runHook(hook, environment)
  } catch (error) {
    if (error instanceof RenderError && environment.leaveOut) {
      environment.leaveOut(error)
      environment.note(hook, { phase: 'Unknown' })
      return undefined
    }
    if (!(error instanceof OperationError)) throw error
    const current = nextOf(hooks())
    if (current) noteEnd(current, 'Failed', environment)
    await environment.store()
    await cleanUpAfterFailure(hooks(), environment)
    throw error
  }
}

/** Deletes the objects of the hook that failed, and of those that succeeded before it, by their policies. */
async function cleanUpAfterFailure(
  hooks: readonly ReleaseHook[],
  environment: HookEnvironment,
): Promise<void> {
  for (const hook of hooks) {
    const phase = hook.last_run?.phase
    if (phase === 'Failed') await cleanUp(hook, 'hook-failed', environment)
    if (phase === 'Succeeded') await cleanUp(hook, 'hook-succeeded', environment)
  }
}

/**
 * Deletes the objects of this run of a hook, if the policies of the hook contain `policy`. Otherwise sets the time to
 * live of Jobs, which were created without it.
 */
async function cleanUp(
  hook: ReleaseHook,
  policy: 'hook-succeeded' | 'hook-failed',
  environment: HookEnvironment,
): Promise<void> {
  const isDeleted = hook.delete_policies?.includes(policy)
  if (!isDeleted && hook.kind !== 'Job') return
  for (const object of (await objectsIfServed(hook, environment)).toReversed())
    await (isDeleted ? deleteIfOfRun(object, environment) : setLifetime(object, environment))
}

/** The objects of a hook; none if it cannot be read, or if a kind is no longer served. */
async function objectsIfServed(hook: ReleaseHook, environment: HookEnvironment): Promise<ReleaseObject[]> {
  return objectsOfHook(hook, environment).catch((error: unknown) => {
    if (error instanceof RenderError || (error instanceof OperationError && error.unserved)) return []
    throw error
  })
}

/** Deletes the object if this run of the hook made it. A definition stays, because all objects of its kind would go. */
async function deleteIfOfRun(object: ReleaseObject, { live, owner, run }: HookEnvironment): Promise<void> {
  if (isDefinition(object.object)) return
  const liveObject = await live.read(object)
  if (!liveObject || liveObject.metadata.deletionTimestamp || !isOfRun(liveObject, owner, run)) return
  await live.remove(object, liveObject)
}

/** Gives a Job of this run the time to live that the chart sets. */
async function setLifetime(object: ReleaseObject, { live, owner, run }: HookEnvironment): Promise<void> {
  const lifetime = lifetimeOf(object)
  if (lifetime === undefined) return
  const liveObject = await live.read(object)
  if (
    !liveObject ||
    !isOfRun(liveObject, owner, run) ||
    lifetimeOf({ ...object, object: liveObject }) !== undefined
  )
    return
  await live.merge(object, liveObject, { spec: { ttlSecondsAfterFinished: lifetime } })
}
