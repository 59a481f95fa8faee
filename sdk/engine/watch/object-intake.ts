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
 * object was left out, only another list can replace it, so nothing is taken until then.
 */
export class ObjectIntake {
  readonly #options: ObjectIntakeOptions
  /** How many objects and changes were delivered since the last list began. */
  #taken = 0
  #leftOut = 0
  #isOpen = true
  /** Whether the last complete list, or its watch, left something out. */
  #wasShort = false
  #onRoom: (() => void) | undefined
  #cancelLook = () => {}

  constructor(options: ObjectIntakeOptions) {
    this.#options = options
  }

  /** Whether objects are taken. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Records the size of read objects. Call it before they are delivered. */
  recordRead(bytes: number): void {
    if (this.#leftOut === 0) this.#isOpen = this.#hasRoom(bytes)
  }

  /** Records that an object was delivered. */
  recordTaken(): void {
    this.#taken++
  }

  /** Records that an object was left out. */
  recordLeftOut(): void {
    this.#leftOut++
    if (this.#leftOut > 1) return
    this.#logShort()
    if (this.#onRoom) this.#checkLater()
  }

  /** Records that a list begins; earlier omissions no longer matter. */
  listStarted(): void {
    this.#taken = 0
    this.#leftOut = 0
    this.#isOpen = this.#hasRoom(0)
  }

  /** Records that a list was read to its end. */
  listDone(): void {
    this.#options.metrics.setLeftOut(this.#leftOut)
    if (!this.#wasShort || this.#leftOut > 0) return
    this.#wasShort = false
    const { resource, logger } = this.#options
    logger.info({ objects: this.#taken }, `memory holds every object of ${resource} again`)
  }

  /**
   * Calls `onRoom` once when objects were left out and there is room for them again. The returned function cancels
   * this.
   */
  whenListDue(onRoom: () => void): () => void {
    this.#onRoom = onRoom
    if (this.#leftOut > 0) this.#checkLater()
    return () => {
      this.#onRoom = undefined
      this.#cancelLook()
    }
  }

  #checkLater(): void {
    this.#cancelLook = this.#options.clock.schedule(checkMs, () => {
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
    metrics.setLeftOut(this.#leftOut)
    const why = guard ? `: ${fullMemory(guard.memory)}` : ''
    const what = `after ${this.#taken} objects and changes of ${resource} no more are taken, and its controllers wait`
    logger.warn({ objects: this.#taken }, what + why)
  }
}
