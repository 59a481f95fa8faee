import type { TimelineEntry } from '../explanation-view.js'

/** Entries of a timeline that are alike and follow each other. */
export interface FoldedEntries {
  /** The last of them. */
  readonly entry: TimelineEntry
  readonly times: number
  /** The time of the first of them. */
  readonly sinceMs: number
}

/** Folds entries that differ only in time and version. Oldest first, as they are given. */
export function fold(timeline: readonly TimelineEntry[]): FoldedEntries[] {
  const folded: FoldedEntries[] = []
  for (const entry of timeline) {
    const last = folded.at(-1)
    if (last && foldKey(last.entry) === foldKey(entry))
      folded[folded.length - 1] = { ...last, entry, times: last.times + 1 }
    else folded.push({ entry, times: 1, sinceMs: entry.atMs })
  }
  return folded
}

/** A text that is equal for entries that are folded into one. */
function foldKey(entry: TimelineEntry): string {
  if (entry.what === 'run') return `run ${entry.result} ${entry.error ?? ''}`
  if (entry.what === 'process') return `process ${entry.text}`
  // Each write changed something of its own.
  if (entry.what === 'write' && entry.changes?.length)
    return `write ${entry.resourceVersion} ${entry.object ?? ''}`
  return `${entry.what} ${entry.side} ${entry.object ?? ''} ${entry.verb}`
}
