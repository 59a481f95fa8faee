import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { FailedAttempt } from './attempt.js'
import type { Settle } from './http2/call.js'
import type { Sendable } from './sendable.js'

/** Options of {@link Http1Exchange}. */
export interface Http1ExchangeOptions {
  request: Sendable
  agent: Agent
  /** Host and port of the server. */
  host: string
  /** Called right before the bytes leave; default none. */
  onSent?: () => void
}

/** One request over HTTP/1.1 and the head of its answer. Ends with the request's signal. */
export class Http1Exchange {
  /** Resolves when the connection is free for another request, or closed. */
  readonly closed: Promise<void>
  /** Rejects with `FailedAttempt`, with the error of `beforeSend`, or with the signal's reason. */
  readonly answer: Promise<IncomingMessage>
  readonly #options: Http1ExchangeOptions
  readonly #outgoing: ClientRequest
  #incoming: IncomingMessage | undefined
  #isSent = false
  #end: { reason: unknown } | undefined
  #reject = (_reason: unknown) => {}

  constructor(options: Http1ExchangeOptions) {
    const { request, agent, host } = options
    const { method, path, headers, signal } = request
    this.#options = options
    const outgoing = httpRequest({ agent, method, path, headers: { host, ...lengthOf(request), ...headers } })
    this.#outgoing = outgoing
    const onAbort = () => this.end(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.closed = new Promise((resolve) => outgoing.once('close', resolve))
    void this.closed.then(() => signal.removeEventListener('abort', onAbort))
    this.answer = new Promise((resolve, reject) => this.#settleAnswer({ resolve, reject }))
  }

  /** Ends the exchange at once, with this reason, also while the answer is read. */
  end(reason: unknown): void {
    this.#end ??= { reason }
    // Node reports the end only once there is a connection.
    this.#reject(reason)
    const error = reason instanceof Error ? reason : new Error(String(reason))
    if (this.#incoming) this.#incoming.destroy(error)
    else this.#outgoing.destroy(error)
  }

  /** The error to report for an exchange that failed with `error`. */
  failureOf(error: unknown): unknown {
    return this.#end ? this.#end.reason : new FailedAttempt(error, { sent: this.#isSent })
  }

  /** Settles `answer` by the events of the request. */
  #settleAnswer({ resolve, reject }: Settle<IncomingMessage>): void {
    this.#reject = reject
    this.#outgoing
      // There is a connection now, and nothing was written to it.
      .once('socket', () => this.#send())
      .once('response', (incoming) => {
        this.#incoming = incoming
        // A body without a reader may end with an error, too.
        resolve(incoming.on('error', () => {}))
      })
      .on('error', (error) => reject(this.failureOf(error)))
      .once('close', () => reject(this.failureOf(closedError())))
  }

  /** Sends the request, unless it was aborted or `beforeSend` throws. */
  #send(): void {
    const { request, onSent = () => {} } = this.#options
    try {
      request.signal.throwIfAborted()
      request.beforeSend?.()
    } catch (reason) {
      this.end(reason)
      return
    }
    this.#isSent = true
    onSent()
    this.#outgoing.end(request.body)
  }
}

/** The error of a connection that closes without one. */
export function closedError(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })
}

/** The header with the length of the body, which Node leaves out for DELETE. */
function lengthOf({ body }: Sendable): { 'content-length'?: string } {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
}
