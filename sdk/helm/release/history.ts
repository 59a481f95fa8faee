import type { StoredRelease } from './stored-release.js'

/** The revision with the highest number. */
export function latestOf(revisions: readonly StoredRelease[]): StoredRelease | undefined {
  return byNumber(revisions).at(-1)
}

/** The newest revision with the status `deployed`. */
export function deployedOf(revisions: readonly StoredRelease[]): StoredRelease | undefined {
  return byNumber(revisions).findLast(({ release }) => release.info.status === 'deployed')
}

/** The revisions in the order of their numbers. */
export function byNumber(revisions: readonly StoredRelease[]): StoredRelease[] {
  return [...revisions].sort((a, b) => a.release.version - b.release.version)
}

/** The revisions since the release was last uninstalled with its history kept, in the order of their numbers. */
export function sinceUninstalled(revisions: readonly StoredRelease[]): StoredRelease[] {
  const sorted = byNumber(revisions)
  return sorted.slice(sorted.findLastIndex(({ release }) => release.info.status === 'uninstalled') + 1)
}

/**
 * The oldest revisions beyond `maxHistory`, the number that is kept; 0 keeps all. The deployed revision and the latest
 * one are never among them.
 */
export function beyondHistory(revisions: readonly StoredRelease[], maxHistory: number): StoredRelease[] {
  if (maxHistory === 0) return []
  const excess = revisions.length - maxHistory
  const kept = [latestOf(revisions), deployedOf(revisions)]
  const old = byNumber(revisions).filter((revision) => !kept.includes(revision))
  return old.slice(0, Math.max(0, excess))
}
