import partition from 'lodash/partition.js'
import { ApiError, isForbidden } from '../../../engine/kube/error.js'
import { byNumber, latestOf, sinceUninstalled } from '../../release/history.js'
import type { ReleaseInfo } from '../../release/release.js'
import type { StoredRelease } from '../../release/stored-release.js'
import { inDeleteOrder } from '../../render/install-order.js'
import type { OperationProgress } from '../goal/due-operation.js'
import { recordedRelease } from '../goal/recorded-release.js'
import type { RenderForRevision } from '../goal/rendering-now.js'
import {
  idOf,
  isDefinition,
  messageAbout,
  objectName,
  type ReleaseObject,
} from '../objects/release-object.js'
import { OperationError } from '../problem/problem.js'
import { placedIfServed } from '../run/placed-if-served.js'
import { deleteSeed } from '../run/random-seed.js'
import { type ReleaseRun, timeOf } from '../run/release-run.js'
import { wasDeployed } from '../run/revision-status.js'
import { hookWords } from './carry-out.js'
import { disown, removeObject } from './earlier-objects.js'
import { deletableOf } from './existing-objects.js'
import { Operation } from './operation.js'
import { withoutLastRun } from './without-last-run.js'

/**
 * Uninstalls a release, or continues an uninstallation: hooks, objects in the reverse order of their creation, and
 * records. The newest record goes last, so that an interrupted uninstallation can be continued. Returns what it waits
 * for; an empty progress when nothing is left. The rendered chart limits the hooks of a record that users may have
 * edited.
 */
export async function uninstall(
  run: ReleaseRun,
  revisions: readonly StoredRelease[],
  renderNow?: RenderForRevision,
): Promise<Omit<OperationProgress, 'revision'>> {
  const latest = latestOf(revisions)
  if (!latest) {
    // A process may have died between the seed and the first record.
    await deleteSeed(run.target.client, run)
    return {}
  }
  if (latest.owner !== run.owner.uid) return {}
  const { now, rendered } = await recordedRelease(run, latest, { revisions, ...(renderNow && { renderNow }) })
  const operation = new Operation(run, await beginUninstall(run, latest), {
    before: revisions,
    now: now ?? (async () => rendered),
    leaveOut: ({ message }) => run.ctx.events.warning('InvalidHook', `${message}; it is left out`),
  })
  return carryOutUninstall(run, revisions, operation)
}

/** Takes the steps of an uninstallation, from the one that its record names. Returns early if a step has to wait. */
async function carryOutUninstall(
  run: ReleaseRun,
  revisions: readonly StoredRelease[],
  operation: Operation,
): Promise<Omit<OperationProgress, 'revision'>> {
  const { uninstallDisableHooks } = run.annotations
  if (operation.stage === 'pre-hooks') {
    const hook = await operation.runHooks('pre-delete', uninstallDisableHooks)
    if (hook) return { waitsFor: hookWords('pre-delete', hook), hook }
    // The recorded time of this step limits the wait.
    await (run.annotations.uninstallWait
      ? operation.enter('objects')
      : operation.leaveHooks('pre-delete', 'objects', uninstallDisableHooks))
  }
  if (operation.stage === 'objects') {
    const remaining = await deleteObjects(run, revisions)
    if (run.annotations.uninstallWait && remaining.length > 0)
      return checkRemaining(run, operation, remaining)
    await operation.enterHooks('post-delete', uninstallDisableHooks)
  }
  const hook = await operation.runHooks('post-delete', uninstallDisableHooks)
  if (hook) return { waitsFor: hookWords('post-delete', hook), hook }
  await deleteRecords(run, revisions, operation.revision)
  return {}
}

/** Deletes the random values and all records, the newest one last. */
async function deleteRecords(
  run: ReleaseRun,
  revisions: readonly StoredRelease[],
  newest: StoredRelease,
): Promise<void> {
  await deleteSeed(run.target.client, run)
  const older = revisions.filter(({ release }) => release.version !== newest.release.version)
  for (const revision of byNumber(older)) await run.store.delete(revision, run.ctx.signal)
  await run.store.delete(newest, run.ctx.signal)
}

/**
 * Records that the uninstallation has begun, or returns the record of an uninstallation that goes on. After a failed
 * hook, the hooks run again.
 */
async function beginUninstall(run: ReleaseRun, latest: StoredRelease): Promise<StoredRelease> {
  const { release, written } = latest
  const hasBegun = release.info.status === 'uninstalling' && written !== undefined
  const hasFailed = release.hooks.some(({ last_run }) => last_run?.phase === 'Failed')
  if (hasBegun && !hasFailed) return latest
  const { uninstallDescription = 'Deletion in progress (or silently failed)' } = run.annotations
  const info: ReleaseInfo = {
    ...release.info,
    status: 'uninstalling',
    deleted: timeOf(run),
    description: uninstallDescription,
  }
  const existing = wasDeployed(latest) ? undefined : written?.existing
  const firstProgress = {
    inputs: written?.inputs ?? '',
    stage: 'pre-hooks',
    attempt: 1,
    holder: run.holder,
    ...(existing && { existing }),
  }
  const revision = {
    ...latest,
    release: { ...release, info, hooks: release.hooks.map(withoutLastRun) },
    written: hasBegun ? { ...written, attempt: written.attempt + 1 } : firstProgress,
  }
  return run.store.update(revision, run.ctx.signal)
}

/**
 * Deletes the objects of these records in Helm's order: an upgrade that failed may have made objects that the deployed
 * revision does not have. The others lose their owner references. A failure does not stop the other deletions. Returns
 * the objects that still exist.
 */
export async function deleteObjects(
  run: ReleaseRun,
  revisions: readonly StoredRelease[],
): Promise<ReleaseObject[]> {
  const remaining: ReleaseObject[] = []
  const problems: string[] = []
  const onUnavailable = ({ message }: Error) => problems.push(message)
  const { own, others } = await objectsOfAll(run, revisions, onUnavailable)
  await disownAll(run, others, problems)
  const objects = inDeleteOrder(own)
  for (const object of objects) {
    const wasThere = await removeObject(run, object).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      problems.push(messageAbout(object, error))
      return false
    })
    if (wasThere) remaining.push(object)
  }
  run.drift.forget(run.release, objects)
  if (problems.length > 0)
    throw new OperationError(`objects cannot be deleted: ${[...new Set(problems)].join('; ')}`)
  return remaining
}

/**
 * Removes the owner references of objects that stay. A definition that the operator may not read any more must not hold
 * up the deletion: it has no reference.
 */
async function disownAll(
  run: ReleaseRun,
  objects: readonly ReleaseObject[],
  problems: string[],
): Promise<void> {
  for (const object of objects)
    await disown(run, object).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      if (isForbidden(error) && object.key.namespace === '') return
      problems.push(
        `${messageAbout(object, error)} (it stays: remove its owner reference, or permit the change)`,
      )
    })
}

/** The objects of the records of a release. */
interface RecordedObjects {
  /** Those that the release may delete. */
  readonly own: readonly ReleaseObject[]
  /** Those that stay. */
  readonly others: readonly ReleaseObject[]
}

/**
 * The objects of all revisions, each once: the newest revision that has it decides whether the release may delete it.
 * Definitions that the latest revision lacks stay: they may be in `crds/` or in a hook now, and all objects of their
 * kinds would go.
 */
async function objectsOfAll(
  run: ReleaseRun,
  revisions: readonly StoredRelease[],
  onUnavailable: (error: Error) => void,
): Promise<RecordedObjects> {
  const latest = latestOf(revisions)
  const byId = new Map<string, { object: ReleaseObject; isOwn: boolean }>()
  for (const revision of sinceUninstalled(revisions)) {
    const objects = await placedIfServed(run, revision.release, onUnavailable)
    const deletable = new Set(deletableOf(revision, objects))
    for (const object of objects) {
      const isLeftOut = revision !== latest && isDefinition(object.object)
      byId.set(idOf(object), { object, isOwn: deletable.has(object) && !isLeftOut })
    }
  }
  const [own, others] = partition([...byId.values()], 'isOwn')
  return { own: own.map(({ object }) => object), others: others.map(({ object }) => object) }
}

/** The progress while objects still exist. Throws {@link OperationError} after the time limit. */
function checkRemaining(
  { options }: ReleaseRun,
  { sinceMs }: Operation,
  remaining: readonly ReleaseObject[],
): OperationProgress {
  const names = [...new Set(remaining.map(objectName))].join(', ')
  const { uninstallTimeoutMs = 30_000 } = options
  if (sinceMs > uninstallTimeoutMs)
    throw new OperationError(
      `${names} are still there after ${uninstallTimeoutMs / 1000} s; see their finalizers`,
    )
  return { waitsFor: `${names} to be gone`, objects: remaining }
}
