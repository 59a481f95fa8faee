import { ApiError } from '../../kube/error.js'
import { byNumber, latestOf } from '../release/history.js'
import type { ReleaseInfo } from '../release/release.js'
import type { StoredRelease } from '../release/stored-release.js'
import { inDeleteOrder } from '../render/install-order.js'
import { hookWords } from './carry-out.js'
import type { Deployed } from './deployment.js'
import { placedIfServed, removeObject } from './earlier-objects.js'
import { fresh, Operation } from './operation.js'
import { OperationError } from './problem.js'
import { deleteSeed } from './random-seed.js'
import { messageAbout, nameOf, type ReleaseObject } from './release-object.js'
import { type ReleaseRun, timeOf } from './release-run.js'

/**
 * Uninstalls a release, or continues to: hooks, objects in the reverse order of their creation, and the records, the newest one last,
 * so that an interrupted process finds its way. Returns what is waited for; nothing when nothing is left.
 */
export async function uninstall(
  run: ReleaseRun,
  revisions: readonly StoredRelease[],
): Promise<Omit<Deployed, 'revision'>> {
  const latest = latestOf(revisions)
  if (!latest) {
    // A process may have died between the seed and the first record.
    await deleteSeed(run.target.client, run)
    return {}
  }
  if (latest.owner !== run.owner.uid) return {}
  const { uninstallDisableHooks } = run.annotations
  const operation = new Operation(run, await begun(run, latest))
  if (operation.stage === 'pre-hooks') {
    const hook = await operation.runHooks('pre-delete', uninstallDisableHooks)
    if (hook) return { waitsFor: hookWords('pre-delete', hook), hook }
    // The time since then limits the wait.
    await (run.annotations.uninstallWait
      ? operation.enter('objects')
      : operation.leaveHooks('pre-delete', 'objects', uninstallDisableHooks))
  }
  if (operation.stage === 'objects') {
    const left = await deleteObjects(run, revisions)
    if (run.annotations.uninstallWait && left.length > 0) return stillThere(run, operation, left)
    await operation.enterHooks('post-delete', uninstallDisableHooks)
  }
  const hook = await operation.runHooks('post-delete', uninstallDisableHooks)
  if (hook) return { waitsFor: hookWords('post-delete', hook), hook }
  await deleteSeed(run.target.client, run)
  for (const revision of byNumber(revisions))
    if (revision.release.version !== latest.release.version) await run.store.delete(revision, run.ctx.signal)
  await run.store.delete(operation.revision, run.ctx.signal)
  return {}
}

async function begun(run: ReleaseRun, latest: StoredRelease): Promise<StoredRelease> {
  const { release, written } = latest
  if (release.info.status === 'uninstalling' && written) return latest
  const { uninstallDescription = 'Deletion in progress (or silently failed)' } = run.annotations
  const info: ReleaseInfo = {
    ...release.info,
    status: 'uninstalling',
    deleted: timeOf(run),
    description: uninstallDescription,
  }
  const progress = { inputs: written?.inputs ?? '', stage: 'pre-hooks', attempt: 1, holder: run.holder }
  const revision = {
    ...latest,
    release: { ...release, info, hooks: release.hooks.map(fresh) },
    written: progress,
  }
  return run.store.update(revision, run.ctx.signal)
}

/**
 * Deletes those of every record: an upgrade that failed may have made objects that the deployed revision does not have. All are
 * tried. Answers those that are not gone.
 */
async function deleteObjects(run: ReleaseRun, revisions: readonly StoredRelease[]): Promise<ReleaseObject[]> {
  const left: ReleaseObject[] = []
  const problems: string[] = []
  for (const { release } of byNumber(revisions).reverse()) {
    const onUnavailable = ({ message }: Error) => problems.push(message)
    const objects = inDeleteOrder(await placedIfServed(run, release.manifest, onUnavailable))
    for (const object of objects) {
      const wasThere = await removeObject(run, object).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        problems.push(messageAbout(object, error))
        return false
      })
      if (wasThere) left.push(object)
    }
    run.drift.forget(run.release, objects)
  }
  if (problems.length > 0)
    throw new OperationError(`objects cannot be deleted: ${[...new Set(problems)].join('; ')}`)
  return left
}

/** Objects that are not gone yet. Throws {@link OperationError} if they still exist after the limit. */
function stillThere(
  { options }: ReleaseRun,
  { sinceMs }: Operation,
  left: readonly ReleaseObject[],
): Deployed {
  const names = [...new Set(left.map(nameOf))].join(', ')
  const { uninstallTimeoutMs = 30_000 } = options
  if (sinceMs > uninstallTimeoutMs)
    throw new OperationError(`${names} are still there after ${uninstallTimeoutMs} ms; see their finalizers`)
  return { waitsFor: `${names} to be gone`, objects: left }
}
