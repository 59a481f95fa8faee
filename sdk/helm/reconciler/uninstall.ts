import { byNumber, latestOf } from '../release/history.js'
import type { ReleaseInfo } from '../release/release.js'
import type { StoredRelease } from '../release/stored-release.js'
import { placedIfServed } from './deploy.js'
import { fresh, Operation } from './operation.js'
import { deleteSeed } from './random-seed.js'
import { type ReleaseRun, timeOf } from './release-run.js'

/**
 * Uninstalls a release, or continues to: hooks, objects in the reverse order of their creation, and the records, the newest one last,
 * so that an interrupted process finds its way. Answers whether nothing is left.
 */
export async function uninstall(run: ReleaseRun, revisions: readonly StoredRelease[]): Promise<boolean> {
  const latest = latestOf(revisions)
  if (!latest || latest.owner !== run.owner.uid) return true
  const { uninstallDisableHooks } = run.annotations
  const operation = new Operation(run, await begun(run, latest))
  if (operation.stage === 'pre-hooks') {
    if (!(await operation.runHooks('pre-delete', uninstallDisableHooks))) return false
    await operation.enter('objects')
  }
  if (operation.stage === 'objects') {
    await deleteObjects(run, revisions)
    await operation.enter('post-hooks', 'post-delete')
  }
  if (!(await operation.runHooks('post-delete', uninstallDisableHooks))) return false
  await deleteSeed(run.ctx.client, run.release)
  for (const revision of byNumber(revisions))
    if (revision.release.version !== latest.release.version) await run.store.delete(revision, run.ctx.signal)
  await run.store.delete(operation.revision, run.ctx.signal)
  return true
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

/** Those of every record: an upgrade that failed may have made objects that the deployed revision does not have. */
async function deleteObjects(run: ReleaseRun, revisions: readonly StoredRelease[]): Promise<void> {
  for (const { release } of byNumber(revisions).reverse()) {
    const objects = (await placedIfServed(run, release.manifest)).reverse()
    for (const object of objects) await run.live.delete(object, run.release)
    run.drift.forget(objects)
  }
}
