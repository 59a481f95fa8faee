import type { Logger } from '../observe/logger.js'
import { fullMemory } from '../observe/memory.js'
import type { MemoryGuard } from '../observe/memory-guard.js'
import type { Clock } from '../time/clock.js'
import type { WatchMetrics } from './watch-metrics.js'

/** The interval at which memory is checked for room, in milliseconds. */
const checkMs = 5000

/** Options of {@link ObjectIntake}. */
export interface ObjectIntakeOptions {
  /** The kind, in words. */
  resource: string
  /** Checks memory; if undefined, every object is taken. */
  guard: MemoryGuard | undefined
  clock: Clock
  logger: Logger
  metrics: Pick<WatchMetrics, 'setLeftOut'>
}

/**
 * Decides whether one watch takes the objects that it reads. While memory is short, it takes only deletions. Once an
 * object was left out, only another list can replace it, so nothing is taken until then. `WatchEvents` asks it before
 * each object.
 */
export class ObjectIntake {
  readonly #options: ObjectIntakeOptions
  /** How many objects and changes were delivered since the last list began. */
  #takenCount = 0
  #leftOutCount = 0
  #isOpen = true
  /** Whether the last complete list, or its watch, left something out. */
  #wasShort = false
  #onRoom: (() => void) | undefined
  #cancelCheck = () => {}

  constructor(options: ObjectIntakeOptions) {
    this.#options = options
  }

  /** Whether objects are taken. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Records the size of read objects. Call it before they are delivered. */
  recordRead(bytes: number): void {
    if (this.#leftOutCount === 0) this.#isOpen = this.#hasRoom(bytes)
  }

  /** Records that an object was delivered. */
  recordTaken(): void {
    this.#takenCount++
  }

  /** Records that an object was left out. */
  recordLeftOut(): void {
    this.#leftOutCount++
    if (this.#leftOutCount > 1) return
    this.#logShort()
    if (this.#onRoom) this.#checkLater()
  }

  /** Records that a list begins; earlier omissions no longer matter. */
  listStarted(): void {
    this.#takenCount = 0
    this.#leftOutCount = 0
    this.#isOpen = this.#hasRoom(0)
  }

  /** Records that a list was read to its end. */
  listDone(): void {
    this.#options.metrics.setLeftOut(this.#leftOutCount)
    if (!this.#wasShort || this.#leftOutCount > 0) return
    this.#wasShort = false
    const { resource, logger } = this.#options
    logger.info({ objects: this.#takenCount }, `memory holds every object of ${resource} again`)
  }

  /**
   * Calls `onRoom` once when objects were left out and there is room for them again. The returned function cancels
   * this.
   */
  whenListDue(onRoom: () => void): () => void {
    this.#onRoom = onRoom
    if (this.#leftOutCount > 0) this.#checkLater()
    return () => {
      this.#onRoom = undefined
      this.#cancelCheck()
    }
  }

  /** Checks for room at intervals, and calls `onRoom` once there is room. */
  #checkLater(): void {
    this.#cancelCheck = this.#options.clock.schedule(checkMs, () => {
      if (this.#hasRoom(0)) this.#onRoom?.()
      else this.#checkLater()
    })
  }

  #hasRoom(bytes: number): boolean {
    return this.#options.guard?.hasRoom(bytes) ?? true
  }

  #logShort(): void {
    const { resource, logger, guard, metrics } = this.#options
    this.#wasShort = true
    metrics.setLeftOut(this.#leftOutCount)
    const why = guard ? `: ${fullMemory(guard.memory)}` : ''
    const takenText = `after ${this.#takenCount} objects and changes of ${resource} no more are taken, and its controllers wait`
    logger.warn({ objects: this.#takenCount }, takenText + why)
  }
}
