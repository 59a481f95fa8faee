import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ownOldGenerationLimit } from './heap-limit.js'

/** The memory of the process and its limit. */
export interface MemoryUsage {
  /** Bytes in use after the last full garbage collection. */
  readonly usedBytes: number
  /** The limit in bytes; a process that needs more is ended. */
  readonly limitBytes: number
  /** Bytes in use now, with garbage; default `usedBytes`. */
  readonly occupiedBytes?: number
  /**
   * Collects garbage, so that `usedBytes` is exact; blocks the process meanwhile. Left out if `usedBytes` is always
   * exact.
   */
  readonly collect?: () => void
  /** Returns unused memory to the system; blocks the process for some tenths of a second if it holds much. */
  readonly releaseUnused?: () => void
}

/** The share of the limit above which the process may end at any time. */
const nearlyOutShare = 0.95

/** Whether the process is about to run out of memory. */
export function isNearlyOut({ usedBytes, limitBytes }: MemoryUsage): boolean {
  return usedBytes > nearlyOutShare * limitBytes
}

/** The message for the operator of a process that runs out of memory. */
export function fullMemory({ usedBytes, limitBytes }: MemoryUsage): string {
  const used = `the process holds ${mebibytes(usedBytes)} of at most ${mebibytes(limitBytes)}`
  return `${used}: raise the container's memory limit and --max-old-space-size in NODE_OPTIONS, or sync fewer objects`
}

const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`

/**
 * Measures the memory of this process: V8's old generation, or the memory of the container, whichever has the smaller
 * share left.
 */
export function processMemory(): MemoryUsage {
  return new ProcessMemory()
}

interface Usage {
  readonly usedBytes: number
  readonly limitBytes: number
}

class ProcessMemory implements MemoryUsage {
  readonly #containerBytes: number
  readonly #heapBytes: number
  /** Usage after the last full collection. */
  #usage: Usage

  constructor() {
    // Undefined or 0 without a limit, or with a limit above the machine's memory.
    this.#containerBytes = process.constrainedMemory() || Number.POSITIVE_INFINITY
    this.#heapBytes = ownOldGenerationLimit(this.#containerBytes)
    this.#usage = { usedBytes: 0, limitBytes: Math.min(this.#heapBytes, this.#containerBytes) }
    const observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(isMajorCollection)) this.#measure()
    })
    observer.observe({ entryTypes: ['gc'] })
  }

  get usedBytes(): number {
    return this.#usage.usedBytes
  }

  get limitBytes(): number {
    return this.#usage.limitBytes
  }

  get occupiedBytes(): number {
    const heapShare = getHeapStatistics().used_heap_size / this.#heapBytes
    const isContained = Number.isFinite(this.#containerBytes)
    const containerShare = isContained ? process.memoryUsage.rss() / this.#containerBytes : 0
    return Math.max(heapShare, containerShare) * this.limitBytes
  }

  collect(): void {
    collectGarbage('regular')
    this.#measure()
  }

  releaseUnused(): void {
    // Only a last-resort collection returns empty pages to the system.
    collectGarbage('last-resort')
  }

  /** Measures the memory usage. Call it when little garbage is left. */
  #measure(): void {
    const heap = { usedBytes: oldGenerationBytes(), limitBytes: this.#heapBytes }
    const container = { usedBytes: residentBytes(), limitBytes: this.#containerBytes }
    this.#usage = shareOf(heap) >= shareOf(container) ? heap : container
  }
}

const shareOf = ({ usedBytes, limitBytes }: Usage) => usedBytes / limitBytes

/** The heap without the young generation, whose size V8 limits separately. */
function oldGenerationBytes(): number {
  const old = getHeapSpaceStatistics().filter(({ space_name: name }) => !name.startsWith('new_'))
  return old.reduce((sum, { space_used_size: bytes }) => sum + bytes, 0)
}

/** The resident memory of the process, with Buffers and without the free parts of the heap. */
function residentBytes(): number {
  const { total_heap_size: total, used_heap_size: used } = getHeapStatistics()
  return process.memoryUsage.rss() - (total - used)
}

/** Whether an entry is a major collection. The facts of a collection are in `detail`, which is not in Node's types. */
function isMajorCollection(entry: PerformanceEntry & { detail?: unknown }): boolean {
  const { detail } = entry
  const isCollection = typeof detail === 'object' && detail !== null && 'kind' in detail
  return isCollection && detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
}

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'regular' | 'last-resort' }) => void

let collector: Collect | undefined

function collectGarbage(flavor: 'regular' | 'last-resort'): void {
  collector ??= exposedCollector()
  collector({ type: 'major', execution: 'sync', flavor })
}

/** V8's `gc` function. Starting Node with `--expose-gc` instead takes 60 ms longer. */
function exposedCollector(): Collect {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  return typeof collect === 'function' ? (collect as Collect) : () => {}
}
