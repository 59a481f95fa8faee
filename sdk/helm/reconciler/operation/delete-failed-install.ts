import { byNumber, latestOf } from '../../release/history.js'
import type { FailedInputs, StoredRelease } from '../../release/stored-release.js'
import { isUninstalled } from '../goal/next-revision.js'
import type { ReleaseRun } from '../run/release-run.js'
import { deleteObjects } from './uninstall.js'

/**
 * Deletes the objects that a failed installation made, once: those of its failed revisions with other inputs, too,
 * which are still there if the inputs changed before the objects were deleted. Records the deletion in each of these
 * revisions, the latest one last, so that an interrupted deletion is repeated. Returns whether it deleted them.
 */
export async function deleteFailedInstall(
  run: ReleaseRun,
  revisions: readonly StoredRelease[],
  failed: FailedInputs,
): Promise<boolean> {
  const latest = latestOf(revisions)
  if (!latest?.written || latest.written.failed) return false
  const attempts = attemptsOf(run, revisions)
  await deleteObjects(run, attempts)
  for (const revision of attempts) {
    const { written } = revision
    if (written && !written.failed)
      await run.store.update({ ...revision, written: { ...written, failed } }, run.ctx.signal)
  }
  return true
}

/** The revisions of an installation that this SDK wrote for the object of the run, the latest one last. */
function attemptsOf({ owner }: ReleaseRun, revisions: readonly StoredRelease[]): StoredRelease[] {
  const sorted = byNumber(revisions)
  const start = sorted.findLastIndex(isUninstalled) + 1
  return sorted.slice(start).filter(({ written, owner: uid }) => written && uid === owner.uid)
}
