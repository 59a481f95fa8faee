import { byNumber, deployedOf } from '../../release/history.js'
import type { StoredRelease } from '../../release/stored-release.js'
import type { HelmControllerOptions } from '../options/options.js'
import { wasDeployed } from '../run/revision-status.js'

/**
 * The revision that a release is rolled back to when an installation or an upgrade fails; 0 if it is uninstalled,
 * undefined if it stays as it is. By default an upgrade is rolled back, and a failed installation stays for inspection.
 * An installation over objects of the release whose record is gone is not undone: they may have run for a long time.
 */
export function revertTarget(
  options: Pick<HelmControllerOptions, 'onFailure'>,
  { isInstall, revisions }: { readonly isInstall: boolean; readonly revisions: readonly StoredRelease[] },
): number | undefined {
  const { onFailure = isInstall ? 'retry' : 'rollback' } = options
  if (onFailure === 'retry' || (isInstall && onFailure === 'rollback')) return undefined
  if (!isInstall) return deployedBefore(revisions)?.release.version
  return revisions.some(({ written }) => written?.isReinstall) ? undefined : 0
}

/**
 * The deployed revision. If a process died between the record that it is superseded and the record of the next
 * revision's end, it is the last one that was deployed, unless a record after it was deleted.
 */
function deployedBefore(revisions: readonly StoredRelease[]): StoredRelease | undefined {
  const deployed = deployedOf(revisions)
  if (deployed) return deployed
  const sorted = byNumber(revisions)
  const index = sorted.findLastIndex(wasDeployed)
  const versions = sorted.slice(index).map(({ release }) => release.version)
  const hasAll = versions.every((version, at) => version === (versions[0] ?? 0) + at)
  return hasAll ? sorted[index] : undefined
}
