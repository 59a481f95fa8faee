import type { KubeObject } from '../../../engine/kube/object.js'
import type { StoredRelease } from '../../release/stored-release.js'
import type { HookEvent, ReleaseHook } from '../../render/release-hook.js'
import type { DueOperation, OperationProgress } from '../goal/due-operation.js'
import { isClientSide } from '../objects/client-side-fields.js'
import { mapLimited } from '../objects/map-limited.js'
import { isReadyForWait, type WaitMode } from '../objects/readiness.js'
import { idOf, listNames, objectName, type ReleaseObject } from '../objects/release-object.js'
import { operationWords, type ReleaseOperation, rollbackDescription } from '../problem/operation-kind.js'
import { OperationError } from '../problem/problem.js'
import type { ReleaseRun } from '../run/release-run.js'
import { checkNotForeign, writeIfOurs } from './check-not-foreign.js'
import { removeAbsent } from './earlier-objects.js'
import { existingSince, type ObjectsByRevision } from './existing-objects.js'
import type { Operation } from './operation.js'
import { takeFields } from './take-fields.js'
import { unreadyAdvice } from './unready-advice.js'

/** An operation whose record exists. */
export interface StartedOperation {
  readonly operation: Operation
  readonly objects: readonly ReleaseObject[]
  /** The objects that an apply would not change, by their identities. */
  readonly unchanged: ReadonlySet<string>
  /** The objects that may be deleted and made again, as UIDs by their identities. */
  readonly replaceable: ReadonlyMap<string, string>
  /** The objects of the earlier revisions since the last deployed one. */
  readonly before: ObjectsByRevision
  readonly work: DueOperation
}

/**
 * Carries out the steps of an operation, from the one that its record names: hooks, objects, readiness, hooks. Returns
 * early if a step has to wait; the next run continues there. `deploy` calls it.
 */
export async function carryOut(run: ReleaseRun, begun: StartedOperation): Promise<OperationProgress> {
  const { operation, objects, work } = begun
  const { kind } = work.next
  const { before, after } = operationWords[kind]
  const areDisabled = disablesHooks(run, kind)
  // Hooks that run now may change objects whose state was read before.
  const runsHooks = operation.stage === 'pre-hooks' && eventsOf(run, work).has(before)
  if (operation.stage === 'pre-hooks') {
    const hook = await operation.runHooks(before, areDisabled)
    if (hook) return { waitsFor: hookWords(before, hook), hook }
    await operation.leaveHooks(before, 'objects', areDisabled)
  }
  const mode = run.annotations.wait ?? run.options.wait ?? 'none'
  if (operation.stage === 'objects') {
    const replaced = await writeObjects(run, runsHooks ? { ...begun, unchanged: new Set() } : begun)
    if (replaced) return { waitsFor: `the end of ${objectName(replaced)}, which is replaced`, objects }
    await (mode === 'none' ? operation.enterHooks(after, areDisabled) : operation.enter('readiness'))
  }
  if (operation.stage === 'readiness') {
    const waitsFor = mode === 'none' ? undefined : await describeUnready(run, begun, mode)
    if (waitsFor) return { waitsFor, objects }
    await operation.enterHooks(after, areDisabled)
  }
  const hook = await operation.runHooks(after, areDisabled)
  if (hook) return { waitsFor: hookWords(after, hook), hook, objects }
  return { revision: await endOperation(run, operation, work), objects }
}

/** Names a hook that runs, for the condition `Progressing`. */
export const hookWords = (event: HookEvent, hook: ReleaseObject) => `the hook ${objectName(hook)} (${event})`

/** The hooks that an operation runs. */
export function hooksOf(run: ReleaseRun, { wanted, next: { kind } }: DueOperation): ReleaseHook[] {
  const { before, after } = operationWords[kind]
  if (disablesHooks(run, kind)) return []
  return wanted.rendered.hooks.filter(({ events }) => events.includes(before) || events.includes(after))
}

const eventsOf = (run: ReleaseRun, work: DueOperation) =>
  new Set(hooksOf(run, work).flatMap(({ events }) => events))

function disablesHooks({ annotations }: ReleaseRun, kind: ReleaseOperation): boolean | undefined {
  return kind === 'install' ? annotations.installDisableHooks : annotations.upgradeDisableHooks
}

/**
 * Applies the objects that are not up to date, and deletes those that left the chart. Returns an object whose deletion
 * must end before it can be created again.
 */
async function writeObjects(run: ReleaseRun, begun: StartedOperation): Promise<ReleaseObject | undefined> {
  const { operation, objects, unchanged, before, work } = begun
  const isMixed = [...before.keys()].some(isClientSide)
  const earlier = [...before.values()].flat()
  for (const wanted of objects) {
    if (!isMixed && unchanged.has(idOf(wanted))) continue
    if (isMixed && (await takeFields(run, wanted))) await checkNotForeign(run, [wanted])
    const object = await withKeptFields(run, wanted, earlier)
    const live = await writeObject(run, begun, object)
    if (live === 'going') return object
    run.drift.noteApplied(object, live)
  }
  for (const [revision, oldObjects] of before)
    if (revision.release.version !== operation.revision.release.version)
      await removeAbsent(run, { revision, oldObjects }, { objects, wanted: work.wanted })
  return undefined
}

/** Applies an object, or makes it again. An object of others that appeared since the objects were read is recorded. */
async function writeObject(
  run: ReleaseRun,
  { operation, replaceable, before, work: { next } }: StartedOperation,
  object: ReleaseObject,
): Promise<KubeObject | 'going'> {
  const { upgradeForce = false, rollbackForce = false } = run.annotations
  const mayReplace = next.kind === 'rollback' ? rollbackForce && !next.failed : upgradeForce
  const onDeleted = () =>
    run.ctx.events.normal('Replaced', `${objectName(object)} was deleted, to be made again with other fields`)
  const write = () =>
    mayReplace
      ? run.live.applyOrReplace(object, { uid: replaceable.get(idOf(object)), onDeleted })
      : run.live.apply(object)
  return writeIfOurs(run, object, write, (found) =>
    operation.noteMoreExisting(existingSince(run, before, found)),
  )
}

/** Returns an object with the live values of its ignored fields, unless the operation changes these fields. */
async function withKeptFields(
  { drift: { ignored }, live }: ReleaseRun,
  wanted: ReleaseObject,
  earlier: readonly ReleaseObject[],
): Promise<ReleaseObject> {
  const liveObject = ignored.concern(wanted) ? await live.read(wanted) : undefined
  return liveObject ? ignored.keepUnchanged(wanted, liveObject, earlier) : wanted
}

/**
 * Names the objects that are not ready; undefined if all are. Rejects with {@link OperationError} `WaitTimeout` if that
 * takes too long.
 */
async function describeUnready(
  run: ReleaseRun,
  { operation, objects }: StartedOperation,
  mode: WaitMode,
): Promise<string | undefined> {
  const live = await mapLimited(objects, (object) => run.live.read(object))
  const waiting = objects.filter((_, index) => {
    const liveObject = live[index]
    const object = objects[index]
    if (!liveObject) return !object || !run.drift.isCleanedUp(object)
    return !isReadyForWait({ ...liveObject, kind: object?.resource.kind ?? '' }, mode)
  })
  const [first] = waiting
  if (!first) return undefined
  const names = listNames(waiting)
  if (operation.sinceMs > operation.timeoutMs)
    throw new OperationError(
      `${names} did not become ready within ${operation.timeoutMs / 1000} s; ${unreadyAdvice(first)}`,
      {
        reason: 'WaitTimeout',
      },
    )
  return `${names} to become ready`
}

/** Records that the revision is deployed and the earlier ones are superseded, and deletes the oldest records. */
async function endOperation(
  run: ReleaseRun,
  operation: Operation,
  work: DueOperation,
): Promise<StoredRelease> {
  const others = await supersede(run, work.revisions, operation.revision)
  await operation.end('deployed', descriptionOf(run, work))
  const { maxHistory = 10 } = run.options
  await run.store.prune(
    [...others, operation.revision],
    run.annotations.maxHistory ?? maxHistory,
    run.ctx.signal,
  )
  return operation.revision
}

function descriptionOf({ annotations }: ReleaseRun, { next: { kind, to = 0 } }: DueOperation): string {
  if (kind === 'rollback') return rollbackDescription(to)
  return kind === 'install'
    ? (annotations.installDescription ?? 'Install complete')
    : (annotations.upgradeDescription ?? 'Upgrade complete')
}

/** Records that earlier revisions are not deployed any more. Returns all revisions except `by`, with the new status. */
async function supersede(
  run: ReleaseRun,
  revisions: readonly StoredRelease[],
  by: StoredRelease,
): Promise<StoredRelease[]> {
  const others: StoredRelease[] = []
  for (const revision of revisions) {
    const { release } = revision
    if (release.version === by.release.version) continue
    const info = { ...release.info, status: 'superseded' } as const
    others.push(
      release.info.status === 'deployed'
        ? await run.store.update({ ...revision, release: { ...release, info } }, run.ctx.signal)
        : revision,
    )
  }
  return others
}
