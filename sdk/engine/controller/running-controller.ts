import type { Key } from '../kube/key.js'
import type { KeyState } from '../queue/key-state.js'

/** How much work a controller has. */
export interface ControllerLoad {
  /** Keys that wait for a worker. */
  readonly waiting: number
  /** The waiting keys that a resync enqueued, not a change. */
  readonly background: number
  /** Keys that run. */
  readonly running: number
  /** Keys whose delay has not ended. */
  readonly delayed: number
  /** How many keys may run at a time. */
  readonly workers: number
  /** Whether a resync is still enqueueing keys. */
  readonly isResyncing: boolean
}

/** The state of a key of a controller. */
export interface ControllerKeyState extends KeyState {
  readonly isQuarantined: boolean
  /** The foreign object that has the name the key needs, by `formatKey`. */
  readonly conflictsWith: string | undefined
}

/** A controller that was started. */
export interface RunningController {
  readonly name: string
  /** See {@link Controller.runLimitMs}. */
  readonly runLimitMs: number
  /** Whether no key waits, runs, or is due within a second. */
  isIdle(): boolean
  /** How long the oldest run has been under way, in milliseconds; 0 if there is none. */
  oldestRunMs(): number
  load(): ControllerLoad
  stateOf(key: Key): ControllerKeyState
  /** See {@link Controller.knownKeys}. */
  knownKeys(): Iterable<Key>
  /**
   * Enqueues one key at once, if this replica runs it. A delay or a quarantine does not hold the key back; the key
   * leaves the quarantine only if the run succeeds.
   */
  runNow(key: Key): void
  /** Enqueues every key that the caches know, because something other than the objects changed. */
  enqueueAll(): void
  /** Resolves when the intake is closed and the last run has ended. */
  readonly ended: Promise<void>
}
