import type { IncomingMessage } from 'node:http'
import { flattenHeaders } from './attempt.js'
import type { DialTarget } from './dial.js'
import { DialAgent } from './dial-agent.js'
import { Http1Exchange } from './http1-exchange.js'
import { readWhole } from './read-whole.js'
import type { Sendable } from './sendable.js'
import { AnswerTooLargeError, type TransportResponse, type TransportStream } from './transport.js'
import { WaitingLine } from './waiting-line.js'

/** Options of {@link Http1Calls}. */
export interface Http1CallsOptions {
  target: DialTarget
  /** The maximum number of connections; default one for each call under way. */
  connections?: number
  /** Called for each call that failed after three seconds without a response; default none. */
  onSilent?: () => void
}

/** The time after sending, in milliseconds, within which a failed call does not make its connection suspicious. */
const silentMs = 3000

/** Reusable HTTP/1.1 connections to one server; each carries one call at a time. */
export class Http1Calls {
  readonly #options: Http1CallsOptions
  readonly #agent: DialAgent
  readonly #waitingLine: WaitingLine
  readonly #running = new Set<Http1Exchange>()
  #endError: Error | undefined
  /** The time of the last answer, in milliseconds; infinite before the first answer. */
  #lastAnswerMs = Number.POSITIVE_INFINITY

  constructor(options: Http1CallsOptions) {
    this.#options = options
    this.#agent = new DialAgent(options.target)
    this.#waitingLine = new WaitingLine(options.connections ?? Number.POSITIVE_INFINITY)
  }

  /** Sends a request and reads the whole answer; rejects with `FailedAttempt`, or the error of `beforeSend`. */
  async request(request: Sendable): Promise<TransportResponse> {
    const exchange = await this.#waitForAnswer(request)
    const answer = await exchange.answer
    const { maxBytes = Number.POSITIVE_INFINITY } = request
    const onTooLarge = () => exchange.end(new AnswerTooLargeError(request))
    try {
      return { ...headOf(answer), body: await readWhole(answer, { maxBytes, onTooLarge }) }
    } catch (error) {
      throw exchange.failureOf(error)
    }
  }

  /** Sends a request and resolves with the headers of its answer; the connection serves it alone. */
  async stream(request: Sendable): Promise<TransportStream> {
    const exchange = await this.#open(request)
    const answer = await exchange.answer
    return { ...headOf(answer), chunks: chunksOf(answer, exchange) }
  }

  /** Lets the calls under way finish, and takes no new calls. */
  async retire(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running].map(({ closed }) => closed))
    await this.destroy(new Error('the connections are retired'))
  }

  /** Ends everything at once. */
  async destroy(error: Error): Promise<void> {
    this.#endError ??= error
    const running = [...this.#running]
    for (const exchange of running) exchange.end(exchange.failureOf(error))
    this.#agent.end(error)
    await Promise.all(running.map(({ closed }) => closed))
  }

  /** Sends a call and waits for the head of its answer. Reports a connection that stays silent. */
  async #waitForAnswer(request: Sendable): Promise<Http1Exchange> {
    const { target, onSilent } = this.#options
    const { clock } = target
    const createdMs = clock.now()
    let sentMs: number | undefined
    try {
      const exchange = await this.#open(request, () => {
        sentMs = clock.now()
      })
      await exchange.answer
      this.#lastAnswerMs = clock.now()
      return exchange
    } catch (error) {
      // A call that waits for a connection shows that all are silent, because each has a call without an answer. Before
      // the first answer it shows nothing, because connections may still be opened.
      const sinceMs = sentMs ?? Math.max(createdMs, this.#lastAnswerMs)
      if (clock.now() - sinceMs >= silentMs) onSilent?.()
      throw error
    }
  }

  /** Begins an exchange when a connection is free. */
  async #open(request: Sendable, onSent = () => {}): Promise<Http1Exchange> {
    await this.#waitingLine.pass(request.signal)
    try {
      if (this.#endError) throw this.#endError
      return this.#start(request, onSent)
    } catch (error) {
      this.#waitingLine.leave()
      throw error
    }
  }

  /** Begins an exchange, and records it until its connection is free again. */
  #start(request: Sendable, onSent: () => void): Http1Exchange {
    const exchange = new Http1Exchange({
      request,
      agent: this.#agent,
      host: this.#options.target.url.host,
      onSent,
    })
    this.#running.add(exchange)
    void exchange.closed.then(() => {
      this.#running.delete(exchange)
      this.#waitingLine.leave()
    })
    return exchange
  }
}

function headOf({ statusCode = 0, headers }: IncomingMessage) {
  return { status: statusCode, headers: flattenHeaders(headers) }
}

/** The chunks of a streamed answer; an error is that of the exchange. */
async function* chunksOf(answer: IncomingMessage, exchange: Http1Exchange): AsyncGenerator<Uint8Array> {
  try {
    yield* answer
  } catch (error) {
    throw exchange.failureOf(error)
  }
}
