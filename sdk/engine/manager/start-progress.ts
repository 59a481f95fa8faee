import type { WatchedStore } from '../cluster/watched-store.js'
import type { RunningController } from '../controller/running-controller.js'
import type { Logger } from '../observe/logger.js'
import type { Store } from '../store/store.js'
import type { Clock } from '../time/clock.js'
import { progressText } from './progress-text.js'
import type { ProgressView } from './progress-view.js'

/** Options of {@link StartProgress}. */
export interface StartProgressOptions {
  clock: Clock
  logger: Logger
  stores: () => readonly FilledStore[]
  controllers: () => readonly Pick<RunningController, 'load'>[]
}

/** A store, with what the progress shows of it. */
export interface FilledStore extends Pick<WatchedStore, 'expected'> {
  readonly store: Pick<Store, 'size' | 'synced' | 'served'>
}

/** The shortest time between two progress messages, in milliseconds. */
const everyMs = 5000

/** The state at the beginning of a step. */
interface StepStart {
  readonly atMs: number
  readonly done: number
}

/**
 * The progress of the start: the first lists, then the first run of every key. It is logged at most every five seconds,
 * by the step that makes progress, so that no timer is needed. A start that is quicker logs no progress.
 */
export class StartProgress {
  readonly #options: StartProgressOptions
  #step: 'before' | 'listed' | 'synced' | 'over' = 'before'
  #stepStart: StepStart = { atMs: 0, done: 0 }
  #loggedMs = 0
  #isReported = false
  /** The number of keys of the first pass, and how many of them no worker had taken at the last check. */
  #keys = 0
  #left = 0
  /** Whether every syncer has enqueued its keys. */
  #isEnqueued = false

  constructor(options: StartProgressOptions) {
    this.#options = options
  }

  /** Records that a page of a list has arrived. */
  readonly recordPage = (): void => {
    if (this.#step === 'before') this.#begin('listed', this.#view().done)
    if (this.#step === 'listed' && !this.#isFilled()) this.#logProgress()
  }

  /** Begins the second step: the first lists are complete, and the syncers start. */
  begin(): void {
    this.#begin('synced', 0)
  }

  /** Records that all syncers have started, so that all keys of the first pass are enqueued. */
  keysEnqueued(): void {
    this.#isEnqueued = true
    this.#keys = this.#load('running')
    this.#updateCounts()
  }

  /** Records that a run has ended. */
  readonly recordRun = (): void => {
    if (this.#step !== 'synced') return
    this.#updateCounts()
    this.#logProgress()
  }

  /** The progress; null before the start begins and after it ends. */
  view(): ProgressView | null {
    if (this.#step === 'synced') this.#updateCounts()
    const isFilled = this.#step === 'listed' && this.#isFilled()
    return this.#step === 'before' || this.#step === 'over' || isFilled ? null : this.#view()
  }

  /** Whether all stores are filled. A standby may wait for long, and list again. */
  #isFilled(): boolean {
    return this.#stores().every(({ store }) => store.synced)
  }

  #stores(): readonly FilledStore[] {
    return this.#options.stores().filter(({ store }) => store.served)
  }

  #begin(step: 'listed' | 'synced', done: number): void {
    const atMs = this.#options.clock.now()
    this.#step = step
    this.#stepStart = { atMs, done }
    this.#loggedMs = atMs
    this.#isReported = false
  }

  /**
   * Updates the counts of keys. Keys that a change enqueues are not counted, because each new copy enqueues its own
   * key. The first pass may get more keys while it runs, for example when a shard is gained.
   */
  #updateCounts(): void {
    if (!this.#isEnqueued) return
    const left = this.#load('background')
    this.#keys += Math.max(0, left - this.#left)
    this.#left = left
    if (left > 0 || this.#options.controllers().some((syncer) => syncer.load().isResyncing)) return
    this.#step = 'over'
    const tookMs = Math.round(this.#options.clock.now() - this.#stepStart.atMs)
    if (this.#isReported)
      this.#options.logger.info({ objects: this.#keys, tookMs }, 'every object has been looked at')
  }

  #logProgress(): void {
    const { clock, logger } = this.#options
    if (this.#step === 'over' || clock.now() - this.#loggedMs < everyMs) return
    this.#loggedMs = clock.now()
    this.#isReported = true
    const view = this.#view()
    const { done, total, perSecond, leftMs } = view
    const rounded = { perSecond: rounding(perSecond), leftMs: rounding(leftMs) }
    logger.info({ done, total, ...rounded }, progressText(view))
  }

  #view(): ProgressView {
    const step = this.#step === 'synced' ? 'synced' : 'listed'
    const { done, total } = step === 'synced' ? this.#keyCounts() : this.#listCounts()
    const tookMs = this.#options.clock.now() - this.#stepStart.atMs
    const perSecond = tookMs > 0 ? ((done - this.#stepStart.done) * 1000) / tookMs : null
    const leftMs = total !== null && perSecond ? ((total - done) * 1000) / perSecond : null
    return { step, done, total, perSecond, leftMs }
  }

  #keyCounts() {
    return { done: this.#keys - this.#left, total: this.#isEnqueued ? this.#keys : null }
  }

  #load(of: 'running' | 'background'): number {
    return this.#options.controllers().reduce((sum, controller) => sum + controller.load()[of], 0)
  }

  /** The listed objects and the total, which is unknown if the size of one list is unknown. */
  #listCounts() {
    const stores = this.#stores()
    const sizes = stores.map(({ store, expected }) => (store.synced ? store.size : (expected ?? null)))
    const isKnown = sizes.every((size) => size !== null)
    const sum = (counts: readonly (number | null)[]) =>
      counts.reduce<number>((all, one) => all + (one ?? 0), 0)
    return { done: sum(stores.map(({ store }) => store.size)), total: isKnown ? sum(sizes) : null }
  }
}

const rounding = (value: number | null) => value && Math.round(value)
