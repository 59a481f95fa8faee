import { type Clock, systemClock } from '../time/clock.js'
import type { MemoryUsage } from './memory.js'

/**
 * The share of the limit that is reserved: with less left, no further objects are taken. V8 may end a process from 80 %
 * on if garbage collection does not help, and runs in progress need memory, too.
 */
const reservedShare = 0.25
/** The minimum that is reserved for runs in progress, in bytes, but at most half of the limit. */
const minReservedBytes = 24 * 2 ** 20
/**
 * The additional share of the limit that must be free before objects are taken again; otherwise memory would be full
 * again at once.
 */
const roomShare = 0.05
/** Upper bound of the heap bytes per byte of JSON, measured with Pods; ConfigMaps take about one. */
const heapBytesPerJsonByte = 3
/** The amount of new data, as a share of the limit, after which memory is measured again. */
const measureShare = 0.02
/**
 * A measurement blocks the process. The pause after a measurement is `pauseFactor` times its length, and at least
 * `minPauseMs` milliseconds.
 */
const pauseFactor = 10
const minPauseMs = 1000

/** Options of {@link MemoryGuard}. */
export interface MemoryGuardOptions {
  memory: MemoryUsage
  /** The clock for the pauses between measurements; default the machine's clock. */
  clock?: Clock
}

/**
 * Decides whether there is memory for more objects. A check costs almost nothing while much memory is free. Near the
 * limit the guard collects garbage, because only then the used memory is known exactly.
 */
export class MemoryGuard {
  readonly memory: MemoryUsage
  readonly #clock: Clock
  #isFull = false
  /** The used bytes when `#addedBytes` was reset. */
  #knownBytes: number
  /** The bytes of JSON that were read since then. */
  #addedBytes = 0
  #nextLookMs = Number.NEGATIVE_INFINITY

  constructor({ memory, clock = systemClock }: MemoryGuardOptions) {
    this.memory = memory
    this.#clock = clock
    this.#knownBytes = memory.usedBytes
  }

  /** Whether more objects may be taken, after `readBytes` of JSON were read. */
  hasRoom(readBytes = 0): boolean {
    this.#recordRead(readBytes)
    if (this.#isFull) this.#lookForRoom()
    else if (this.#mayBeFull()) this.#measure()
    return !this.#isFull
  }

  get #fullBytes(): number {
    const { limitBytes } = this.memory
    return limitBytes - Math.min(Math.max(reservedShare * limitBytes, minReservedBytes), limitBytes / 2)
  }

  #recordRead(readBytes: number): void {
    const { usedBytes } = this.memory
    if (usedBytes !== this.#knownBytes) this.#addedBytes = 0
    this.#knownBytes = usedBytes
    this.#addedBytes += readBytes
  }

  #mayBeFull(): boolean {
    const { usedBytes, limitBytes } = this.memory
    const fullBytes = this.#fullBytes
    if (usedBytes + heapBytesPerJsonByte * this.#addedBytes <= fullBytes) return false
    // Checked last, because measuring takes a system call.
    if ((this.memory.occupiedBytes ?? usedBytes) <= fullBytes) return false
    const isWorthIt = heapBytesPerJsonByte * this.#addedBytes > measureShare * limitBytes
    return isWorthIt || this.#clock.now() >= this.#nextLookMs
  }

  #lookForRoom(): void {
    if (this.#clock.now() >= this.#nextLookMs) this.#measure()
  }

  #measure(): void {
    const startedMs = this.#clock.now()
    this.memory.collect?.()
    const endedMs = this.#clock.now()
    this.#nextLookMs = endedMs + Math.max(minPauseMs, pauseFactor * (endedMs - startedMs))
    const { usedBytes, limitBytes } = this.memory
    this.#knownBytes = usedBytes
    this.#addedBytes = 0
    this.#isFull = usedBytes > this.#fullBytes - (this.#isFull ? roomShare * limitBytes : 0)
  }
}
