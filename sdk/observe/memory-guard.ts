import { type Clock, systemClock } from '../time/clock.js'
import type { Memory } from './memory.js'

/**
 * No further objects are taken when less than this share of the limit is left. V8 may end a process that collects garbage in vain
 * from 80 % on, and runs under way need room as well.
 */
const reservedShare = 0.25
/** The least that is kept for runs under way, in bytes, unless it is more than half of the limit. */
const leastReserved = 24 * 2 ** 20
/** So much more, as a share of the limit, must be free before objects are taken again, or it would be full again at once. */
const roomShare = 0.05
/** The most that a byte of JSON takes as an object, by experience with Pods; ConfigMaps take about one. */
const growth = 3
/** After so much new data, as a share of the limit, it is worth another look. */
const lookShare = 0.02
/** A look stops the process, so it is followed by a pause of so many times its length, and at least so many milliseconds. */
const pauseFactor = 10
const shortestPauseMs = 1000

/** Options of {@link MemoryGuard}. */
export interface MemoryGuardOptions {
  memory: Memory
  /** Default the machine's clock. */
  clock?: Clock
}

/**
 * Says whether there is memory for more objects. Asking costs next to nothing while the memory is far from full. Near the limit
 * the guard has the garbage collected, because only then it is known how much memory is really in use.
 */
export class MemoryGuard {
  readonly memory: Memory
  readonly #clock: Clock
  #isFull = false
  /** What the memory said was in use when `#addedBytes` began. */
  #knownBytes: number
  /** How much was read since. */
  #addedBytes = 0
  #nextLookMs = Number.NEGATIVE_INFINITY

  constructor({ memory, clock = systemClock }: MemoryGuardOptions) {
    this.memory = memory
    this.#clock = clock
    this.#knownBytes = memory.usedBytes
  }

  /** Whether more objects may be taken, after `readBytes` of JSON were read. */
  hasRoom(readBytes = 0): boolean {
    this.#note(readBytes)
    if (this.#isFull) this.#lookForRoom()
    else if (this.#mayBeFull()) this.#look()
    return !this.#isFull
  }

  get #fullBytes(): number {
    const { limitBytes } = this.memory
    return limitBytes - Math.min(Math.max(reservedShare * limitBytes, leastReserved), limitBytes / 2)
  }

  #note(readBytes: number): void {
    const { usedBytes } = this.memory
    if (usedBytes !== this.#knownBytes) this.#addedBytes = 0
    this.#knownBytes = usedBytes
    this.#addedBytes += readBytes
  }

  #mayBeFull(): boolean {
    const { usedBytes, limitBytes, occupiedBytes = usedBytes } = this.memory
    const expectedBytes = usedBytes + growth * this.#addedBytes
    if (Math.min(occupiedBytes, expectedBytes) <= this.#fullBytes) return false
    const isWorthIt = growth * this.#addedBytes > lookShare * limitBytes
    return isWorthIt || this.#clock.now() >= this.#nextLookMs
  }

  #lookForRoom(): void {
    if (this.#clock.now() >= this.#nextLookMs) this.#look()
  }

  #look(): void {
    const startedMs = this.#clock.now()
    this.memory.collect?.()
    const endedMs = this.#clock.now()
    this.#nextLookMs = endedMs + Math.max(shortestPauseMs, pauseFactor * (endedMs - startedMs))
    const { usedBytes, limitBytes } = this.memory
    this.#knownBytes = usedBytes
    this.#addedBytes = 0
    this.#isFull = usedBytes > this.#fullBytes - (this.#isFull ? roomShare * limitBytes : 0)
  }
}
