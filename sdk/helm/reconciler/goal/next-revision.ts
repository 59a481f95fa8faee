import { byNumber, latestOf } from '../../release/history.js'
import type { StoredRelease } from '../../release/stored-release.js'
import { wasDeployed } from '../run/revision-status.js'
import type { NextRevision } from './due-operation.js'

/** The next operation for the intended state; `inputs` are unknown before the chart is rendered. */
export function nextRevision(revisions: readonly StoredRelease[], inputs?: string): NextRevision {
  const latest = latestOf(revisions)
  const continued = latest && mayContinue(latest, inputs) ? latest : undefined
  const version = continued ? continued.release.version : (latest?.release.version ?? 0) + 1
  const isInstall = isInstallAt(revisions, version)
  return { version, isInstall, continued, kind: isInstall ? 'install' : 'upgrade' }
}

/**
 * Whether no revision before this one was deployed, or the last of them was uninstalled by another program that kept
 * its record. Pruned revisions count as deployed.
 */
export function isInstallAt(revisions: readonly StoredRelease[], version: number): boolean {
  const earlier = byNumber(revisions).filter((revision) => revision.release.version < version)
  const start = earlier.findLastIndex(isUninstalled) + 1
  const oldest = byNumber(revisions)[0]?.release.version ?? 1
  return (start > 0 || oldest === 1) && !earlier.slice(start).some(wasDeployed)
}

/** Whether a release was uninstalled, and its record kept, or another program began to uninstall it. */
export const isUninstalled = ({ release }: StoredRelease) =>
  ['uninstalled', 'uninstalling'].includes(release.info.status)

/** Whether an operation continues or repeats the latest revision: one of this SDK that is pending, or failed. */
function mayContinue({ release, written }: StoredRelease, inputs: string | undefined): boolean {
  if (!written) return false
  const { status } = release.info
  if (status.startsWith('pending-')) return true
  return status === 'failed' && (inputs === undefined || written.inputs === inputs)
}
