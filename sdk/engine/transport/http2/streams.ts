import type { Exchange, StreamKind } from './exchange.js'
import { maxStreamId } from './protocol.js'

/** The maximum number of remembered streams that we reset. Their frames may still be on the way. */
const rememberedResets = 1000

/** Options of {@link Streams}. */
export interface StreamsOptions {
  /** How many streams are kept free of watches. */
  reservedForCalls: number
  /** Whether a request may be sent now. */
  mayBegin: () => boolean
  /** Sends a request; the exchange may be over when it returns. */
  begin: (exchange: Exchange) => void
}

/**
 * The streams of a session, and the exchanges that wait for a stream, in order. When a stream is free, calls and
 * watches take turns. Some streams are reserved for calls, because watches keep their streams.
 */
export class Streams {
  readonly #options: StreamsOptions
  readonly #open = new Map<number, Exchange>()
  readonly #waiting = { call: new Set<Exchange>(), watch: new Set<Exchange>() }
  readonly #resets = new Set<number>()
  #openWatches = 0
  #limit = Number.POSITIVE_INFINITY
  #lastId = -1
  /** Whether `beginWaiting` runs. An exchange may fail as it begins, which calls it again. */
  #isBeginning = false
  /** The kind that gets the next free stream. */
  #turn: StreamKind = 'call'

  constructor(options: StreamsOptions) {
    this.#options = options
  }

  /** The number of open streams and waiting exchanges. */
  get size(): number {
    return this.#open.size + this.#waiting.call.size + this.#waiting.watch.size
  }

  /** The identifier of the last stream that was opened. */
  get lastId(): number {
    return this.#lastId
  }

  /** Whether the session has used up its identifiers. */
  get isExhausted(): boolean {
    return this.#lastId >= maxStreamId - 2
  }

  /** How many more exchanges of a kind could begin at once. */
  free(kind: StreamKind): number {
    const free = this.#limit - this.#open.size - this.#waiting.call.size - this.#waiting.watch.size
    if (kind === 'call') return free
    return Math.min(free, this.#watchLimit - this.#openWatches - this.#waiting.watch.size)
  }

  /** The exchange of an open stream; undefined if the stream is not open. */
  get(streamId: number): Exchange | undefined {
    return this.#open.get(streamId)
  }

  /** All exchanges with an open stream. */
  open(): Exchange[] {
    return [...this.#open.values()]
  }

  /** All exchanges that wait for a stream. */
  waiting(): Exchange[] {
    return [...this.#waiting.call, ...this.#waiting.watch]
  }

  /** Begins an exchange, now or when a stream is free. */
  add(exchange: Exchange): void {
    const { call, watch } = this.#waiting
    if (call.size + watch.size === 0 && this.#hasRoomFor(exchange.kind)) {
      this.#options.begin(exchange)
    } else {
      this.#waiting[exchange.kind].add(exchange)
      this.beginWaiting()
    }
  }

  /** Gives an exchange the next stream identifier. */
  assignId(exchange: Exchange): number {
    this.#lastId += 2
    exchange.streamId = this.#lastId
    this.#open.set(this.#lastId, exchange)
    if (exchange.kind === 'watch') this.#openWatches += 1
    return this.#lastId
  }

  /** Removes an exchange that is over, whether it has a stream or waits for one. */
  remove(exchange: Exchange): void {
    if (!this.#open.delete(exchange.streamId)) this.#waiting[exchange.kind].delete(exchange)
    else if (exchange.kind === 'watch') this.#openWatches -= 1
  }

  /** Remembers that we reset a stream. */
  noteReset(streamId: number): void {
    this.#resets.add(streamId)
    if (this.#resets.size <= rememberedResets) return
    for (const oldest of this.#resets) {
      this.#resets.delete(oldest)
      return
    }
  }

  /** Whether we reset a stream, so that its late frames are ignored. */
  wasReset(streamId: number): boolean {
    return this.#resets.has(streamId)
  }

  /** Applies the server's SETTINGS_MAX_CONCURRENT_STREAMS. */
  setLimit(limit: number): void {
    this.#limit = limit
  }

  /** Begins as many waiting exchanges as there is room for. */
  beginWaiting(): void {
    if (this.#isBeginning) return
    this.#isBeginning = true
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#waiting[next.kind].delete(next)
      this.#options.begin(next)
    }
    this.#isBeginning = false
  }

  /** The waiting exchange that begins next: of the kind whose turn it is, or else of the other kind. */
  #next(): Exchange | undefined {
    const otherKind = this.#turn === 'call' ? 'watch' : 'call'
    for (const kind of [this.#turn, otherKind] as const) {
      const [first] = this.#hasRoomFor(kind) ? this.#waiting[kind] : []
      if (first === undefined) continue
      this.#turn = kind === 'call' ? 'watch' : 'call'
      return first
    }
    return undefined
  }

  #hasRoomFor(kind: StreamKind): boolean {
    if (this.#open.size >= this.#limit || !this.#options.mayBegin()) return false
    return kind === 'call' || this.#openWatches < this.#watchLimit
  }

  get #watchLimit(): number {
    return this.#limit - this.#options.reservedForCalls
  }
}
