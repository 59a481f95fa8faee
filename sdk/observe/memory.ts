import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ownOldGenerationLimit } from './heap-limit.js'

/** How much memory the process holds, and how much it may. */
export interface Memory {
  /** Bytes that are in use for certain: what the last full garbage collection left. */
  readonly usedBytes: number
  /** Where a process ends that needs more. */
  readonly limitBytes: number
  /** Bytes in use now, garbage included; default `usedBytes`. */
  readonly occupiedBytes?: number
  /** Collects the garbage, so that `usedBytes` is exact; stops the process while it does. Default `usedBytes` is exact. */
  readonly collect?: () => void
  /** Gives back to the system what is no longer needed; stops the process for some tenths of a second where it holds much. */
  readonly giveBack?: () => void
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

/**
 * The memory of this process: what V8 keeps in its old generation, or what the process keeps of its container's memory,
 * whichever has the smaller share left. It measures from its making.
 */
export function processMemory(): Memory {
  return new ProcessMemory()
}

interface Usage {
  readonly usedBytes: number
  readonly limitBytes: number
}

class ProcessMemory implements Memory {
  readonly #containerBytes: number
  readonly #heapBytes: number
  /** What the last full collection left. */
  #left: Usage

  constructor() {
    // Nothing where the system sets no limit, or one beyond any machine.
    this.#containerBytes = process.constrainedMemory() || Number.POSITIVE_INFINITY
    this.#heapBytes = ownOldGenerationLimit(this.#containerBytes)
    this.#left = { usedBytes: 0, limitBytes: Math.min(this.#heapBytes, this.#containerBytes) }
    const observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(isMajorCollection)) this.#look()
    })
    observer.observe({ entryTypes: ['gc'] })
  }

  get usedBytes(): number {
    return this.#left.usedBytes
  }

  get limitBytes(): number {
    return this.#left.limitBytes
  }

  get occupiedBytes(): number {
    const heapShare = getHeapStatistics().used_heap_size / this.#heapBytes
    const isContained = Number.isFinite(this.#containerBytes)
    const containerShare = isContained ? process.memoryUsage.rss() / this.#containerBytes : 0
    return Math.max(heapShare, containerShare) * this.limitBytes
  }

  collect(): void {
    collectGarbage('regular')
    this.#look()
  }

  giveBack(): void {
    // The last resort is the one collection that keeps no empty pages for later.
    collectGarbage('last-resort')
  }

  /** To be called when little garbage is left. */
  #look(): void {
    const heap = { usedBytes: oldGenerationBytes(), limitBytes: this.#heapBytes }
    const container = { usedBytes: residentBytes(), limitBytes: this.#containerBytes }
    this.#left = shareOf(heap) >= shareOf(container) ? heap : container
  }
}

const shareOf = ({ usedBytes, limitBytes }: Usage) => usedBytes / limitBytes

/** Everything but the young generation, whose size V8 limits separately. */
function oldGenerationBytes(): number {
  const old = getHeapSpaceStatistics().filter(({ space_name: name }) => !name.startsWith('new_'))
  return old.reduce((sum, { space_used_size: bytes }) => sum + bytes, 0)
}

/** What the process has of the machine's memory, Buffers included, without the parts of the heap that are free. */
function residentBytes(): number {
  const { total_heap_size: total, used_heap_size: used } = getHeapStatistics()
  return process.memoryUsage.rss() - (total - used)
}

/** What a collection tells of itself is in `detail`, which the types leave out. */
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

/** Node started with `--expose-gc` would have it at hand, and take 60 ms longer to start. */
function exposedCollector(): Collect {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  return typeof collect === 'function' ? (collect as Collect) : () => {}
}
