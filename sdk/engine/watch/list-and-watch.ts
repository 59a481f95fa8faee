import sumBy from 'lodash/sumBy.js'
import { ApiError, isInvalid } from '../kube/error.js'
import type { KubeObject } from '../kube/object.js'
import type { Logger } from '../observe/logger.js'
import type { Clock } from '../time/clock.js'
import { withOwnSignal } from '../time/own-signal.js'
import { TimeSlice } from '../time/time-slice.js'
import { listPages } from './list-pages.js'
import type { ObjectIntake } from './object-intake.js'
import { RoomAgainError, UnreadableEventError } from './restart-reason.js'
import type { WatchEvents } from './watch-events.js'
import type { WatchMetrics } from './watch-metrics.js'
import type { WatchPosition } from './watch-position.js'
import type { WatchResourceOptions } from './watch-resource-options.js'
import { acceptHeader, scopePath } from './watch-scope.js'
import { readWatch, type UnreadLine, type WatchLine } from './watch-stream.js'

/** Options of {@link ListAndWatch}. */
export interface ListAndWatchOptions<T extends KubeObject> {
  options: WatchResourceOptions<T>
  events: WatchEvents<T>
  position: WatchPosition
  intake: ObjectIntake
  clock: Clock
  /** Returns a number from 0 up to 1, to spread the length of watches. */
  random: () => number
  logger: Logger
  metrics: WatchMetrics
  /** Called once the API server has accepted a watch, with the requested length of the watch in milliseconds. */
  onOpen: (timeoutMs: number) => void
}

/**
 * Lists if the position requires it, by pages or as a stream, and then watches until the watch ends. `ResourceWatch`
 * calls `run` again after each end.
 */
export class ListAndWatch<T extends KubeObject> {
  readonly #options: WatchResourceOptions<T>
  readonly #events: WatchEvents<T>
  readonly #parts: Omit<ListAndWatchOptions<T>, 'options' | 'events'>
  readonly #slice: TimeSlice
  #streamsList: boolean
  /** Whether the API server has accepted the watch under way. */
  #isOpen = false

  constructor({ options, events, ...parts }: ListAndWatchOptions<T>) {
    this.#options = options
    this.#events = events
    this.#parts = parts
    this.#slice = new TimeSlice(parts.clock)
    this.#streamsList = options.streamList ?? false
  }

  /** Resolves when the API server ends the watch in order; rejects with the reason of any other end. */
  async run(signal: AbortSignal): Promise<undefined> {
    const { position } = this.#parts
    if (position.resumeFrom === undefined && this.#streamsList) return this.#streamList(signal)
    if (position.resumeFrom === undefined) await this.#list(signal)
    return this.#watchUntilRoom(signal, { resourceVersion: position.resumeFrom ?? '' })
  }

  /** Lists by pages. */
  async #list(signal: AbortSignal): Promise<void> {
    const { clock, intake } = this.#parts
    const startedMs = clock.now()
    let resourceVersion = ''
    this.#events.listStarted()
    const { transport, pageSize = 500, ...scope } = this.#options
    for await (const page of listPages({ ...scope, transport, pageSize, signal, clock })) {
      intake.recordRead(page.bytes)
      for (const object of page.items) {
        this.#events.listed(object)
        if (this.#slice.isOver) await this.#slice.pause()
      }
      resourceVersion = page.resourceVersion
      this.#options.onPage?.(page.remaining)
    }
    this.#events.listDone(resourceVersion, startedMs)
  }

  /** Lists and watches by one stream (KEP-3157); by pages from a server that does not support this. */
  async #streamList(signal: AbortSignal): Promise<undefined> {
    this.#events.listStarted()
    try {
      return await this.#watchUntilRoom(signal, {
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
      })
    } catch (error) {
      const isUnsupported = isInvalid(error) || (error instanceof ApiError && error.code === 400)
      if (!isUnsupported || this.#isOpen) throw error
      this.#parts.logger.debug({ error }, 'the API server does not stream lists; asking for pages')
      this.#streamsList = false
      return this.run(signal)
    }
  }

  /** Watches until the watch ends, or there is room for objects that were left out. */
  #watchUntilRoom(signal: AbortSignal, parameters: Record<string, string | boolean>): Promise<undefined> {
    return withOwnSignal(signal, async (abortController) => {
      const cancel = this.#parts.intake.whenListDue(() => abortController.abort(new RoomAgainError()))
      this.#events.offers.setOnUnreadable(() => abortController.abort(new UnreadableEventError()))
      try {
        return await this.#watch(abortController.signal, parameters)
      } finally {
        cancel()
      }
    })
  }

  /** Sends one watch request, and handles its lines until it ends. */
  async #watch(signal: AbortSignal, parameters: Record<string, string | boolean>): Promise<undefined> {
    const { clock, intake, metrics, random } = this.#parts
    const { transport, silenceMs = 130_000, maxLineBytes = 64 * 1024 * 1024 } = this.#options
    const timeoutSeconds = Math.floor(300 + 300 * random())
    const path = scopePath(this.#options, {
      watch: true,
      allowWatchBookmarks: true,
      timeoutSeconds,
      ...parameters,
    })
    const startedMs = clock.now()
    const onOpen = () => this.#recordOpen(timeoutSeconds * 1000)
    const readsHeads = () => this.#events.offers.isOffering
    const accept = acceptHeader(this.#options, 'watch')
    const stream = { transport, path, accept, clock, silenceMs, maxLineBytes, signal, onOpen, readsHeads }
    this.#isOpen = false
    await readWatch(stream, (lines) => {
      intake.recordRead(sumBy(lines, ({ bytes }) => bytes))
      if (lines.length > 0) metrics.recordEvent()
      return this.#handleLines(lines, startedMs)
    })
  }

  /** Handles the lines from index `from` on. Returns a promise to pause when the time slice is over. */
  #handleLines(
    lines: readonly (WatchLine | UnreadLine)[],
    startedMs: number,
    from = 0,
  ): Promise<void> | undefined {
    for (let index = from; index < lines.length; index++) {
      this.#events.handleLine(lines[index] as WatchLine | UnreadLine, startedMs)
      if (this.#slice.isOver)
        return this.#slice.pause().then(() => this.#handleLines(lines, startedMs, index + 1))
    }
    return undefined
  }

  #recordOpen(timeoutMs: number): void {
    this.#isOpen = true
    this.#parts.onOpen(timeoutMs)
  }
}
