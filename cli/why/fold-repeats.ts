/** Entries that were repeated: how often, and the last time with all of its entries. */
export interface Repeats<T> {
  readonly times: number
  /** The first entry of the first time. */
  readonly first: T
  readonly last: readonly T[]
}

/** The maximum number of entries that repeat as one block, such as a run, its write and the Event about the write. */
const maxBlockEntries = 8
/** The minimum number of repeats to fold; fewer repeats are shown unfolded. */
const minTimes = 3

/**
 * Folds blocks of entries that repeat, as `kubectl describe` does with Events. Entries with equal signatures are the
 * same.
 *
 * @example
 * ```ts
 * foldRepeats(['a', 'b', 'c', 'b', 'c', 'b', 'c'], (one) => one)
 * // ['a', { times: 3, first: 'b', last: ['b', 'c'] }]
 * ```
 */
export function foldRepeats<T>(entries: readonly T[], signatureOf: (entry: T) => string): (T | Repeats<T>)[] {
  const signatures = entries.map(signatureOf)
  const folded: (T | Repeats<T>)[] = []
  for (let start = 0; start < entries.length; ) {
    const first = entries[start] as T
    const { size, times } = longestRepeat(signatures, start)
    if (times < minTimes) {
      folded.push(first)
      start++
      continue
    }
    const end = start + size * times
    folded.push({ times, first, last: entries.slice(end - size, end) })
    start = end
  }
  return folded
}

/** The block at a place that covers most entries by its repeats; of equal ones the smallest. */
function longestRepeat(signatures: readonly string[], start: number): { size: number; times: number } {
  let best = { size: 1, times: 1 }
  for (let size = 1; size <= maxBlockEntries; size++) {
    const times = timesAt(signatures, start, size)
    if (times >= minTimes && size * times > best.size * best.times) best = { size, times }
  }
  return best
}

function timesAt(signatures: readonly string[], start: number, size: number): number {
  let end = start + size
  while (end < signatures.length && signatures[end] === signatures[end - size]) end++
  return Math.floor((end - start) / size)
}
