import type { RunningController } from '../controller/running-controller.js'

/** The time until which a unit's own start-up work may write; see {@link Unit.init}. */
export type Deadline = () => number

/**
 * One registered part of a program: a controller, or anything else that takes part in its start. Each step is optional;
 * the manager calls it in the order of `start-order.ts`.
 */
export interface Unit<C extends RunningController = RunningController> {
  /** Names it in logs. */
  readonly name: string
  /**
   * Creates the stores that the unit's runs read, so that the stores are filled before the first run. May be called
   * more than once.
   */
  requestStores?(): void
  /**
   * Runs once after leadership is won, before any cache is filled. If replicas share the work, each replica runs it.
   */
  init?(deadline?: Deadline): Promise<void>
  /** Runs after every `init`, before the caches are filled: the place to add indices to stores. */
  registerIndices?(deadline?: Deadline): Promise<void>
  /** Adds the indices that the engine itself reads, after every `registerIndices`. */
  indexStores?(): void
  /** Starts the unit's controller, when the caches are filled. */
  run?(): C
  /** Starts other work, when the caches are filled; that work ends with the signal. */
  register?(signal: AbortSignal): Promise<void>
}
