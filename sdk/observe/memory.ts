import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How much memory the process holds, and how much it may. */
export interface Memory {
  /** Bytes that are in use for certain: what the last full garbage collection left. */
  readonly usedBytes: number
  /** Where a process ends that needs more. */
  readonly limitBytes: number
  /** Gives back to the system what is no longer needed; stops the process for some tenths of a second where it holds much. */
  readonly giveBack?: () => void
}

/** From this share of its limit on the memory counts as full: what is left is for work under way. */
const fullShare = 0.85

/** Whether nothing large should be begun any more. */
export function isFull({ usedBytes, limitBytes }: Memory): boolean {
  return usedBytes > fullShare * limitBytes
}

/** From this share on it can no longer be told how long the process goes on. */
const nearlyOutShare = 0.95

/** Whether the process is about to end for want of memory. */
export function isNearlyOut({ usedBytes, limitBytes }: Memory): boolean {
  return usedBytes > nearlyOutShare * limitBytes
}

/** What to tell whoever runs the process. */
export function fullMemory({ usedBytes, limitBytes }: Memory): string {
  const used = `the process holds ${mebibytes(usedBytes)} of at most ${mebibytes(limitBytes)}`
  return `${used}: raise the container's memory limit and --max-old-space-size in NODE_OPTIONS, or sync fewer objects`
}

const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`

/** The memory of this process: the heap, within what its container may have. It measures from its making. */
export function processMemory(): Memory {
  const heapBytes = getHeapStatistics().heap_size_limit
  // Nothing where the system sets no limit, or one beyond any machine.
  const containerBytes = process.constrainedMemory() || Number.POSITIVE_INFINITY
  const limitBytes = Math.min(heapBytes, containerBytes)
  let usedBytes = 0
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isMajorCollection)) usedBytes = process.memoryUsage().heapUsed
  })
  observer.observe({ entryTypes: ['gc'] })
  return {
    limitBytes,
    giveBack: collectAll,
    get usedBytes() {
      return usedBytes
    },
  }
}

/** What a collection tells of itself is in `detail`, which the types leave out. */
function isMajorCollection(entry: PerformanceEntry & { detail?: unknown }): boolean {
  const { detail } = entry
  const isCollection = typeof detail === 'object' && detail !== null && 'kind' in detail
  return isCollection && detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
}

/** Node started with `--expose-gc` would have it at hand, and take 60 ms longer to start. */
function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  // The last resort is the one collection that keeps no empty pages for later.
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
