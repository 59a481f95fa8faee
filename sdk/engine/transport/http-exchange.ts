import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { CancelToken } from '../time/cancellation.js'
import type { Clock } from '../time/clock.js'
import { FailedAttempt, flattenHeaders } from './attempt.js'
import {
  AnswerTooLargeError,
  type TransportRequest,
  type TransportResponse,
  type TransportStream,
} from './transport.js'

/** A request with its credentials, its full path and its life. */
export interface Sendable extends Omit<TransportRequest, 'headers' | 'as' | 'signal' | 'timeoutMs'> {
  headers: Record<string, string | string[]>
  signal: CancelToken
  /** The caller's own `beforeSend`; the one of this request also knows its time limit. */
  gate?: () => void
}

/** A call that fails within this time after it was sent, in milliseconds, says nothing about its connection. */
const silentMs = 3000

/** Takes the end of an exchange. */
export interface Settle<T> {
  resolve(answer: T): void
  reject(error: unknown): void
}

/** Watches the connections that calls share for calls without a response. */
export interface Watched {
  readonly clock: Clock
  readonly onSilent: () => void
  /** When an answer came last; never, as long as there was none. */
  heardAtMs: number | undefined
}

type Controller = Dispatcher.DispatchController

/** One request on its way, whatever becomes of its answer's body; aborts with the request's signal. */
abstract class Exchange<T> implements Dispatcher.DispatchHandler {
  protected readonly request: Sendable
  readonly #onAbort = () => this.#abort()
  protected readonly settle: Settle<T>
  protected controller: Controller | undefined
  #sent = false
  #refusal: { reason: unknown } | undefined

  constructor(request: Sendable, settle: Settle<T>) {
    this.request = request
    this.settle = settle
    request.signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Called when a connection is free, right before the bytes leave; throwing here sends nothing. */
  onRequestStart(controller: Controller): void {
    this.controller = controller
    try {
      this.request.signal.throwIfAborted()
      this.request.beforeSend?.()
    } catch (reason) {
      this.#refusal = { reason }
      throw reason
    }
    this.#sent = true
  }

  abstract onResponseStart(controller: Controller, status: number, headers: object): void
  abstract onResponseData(controller: Controller, chunk: Buffer): void

  onResponseEnd(): void {
    this.#release()
    this.ended()
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#release()
    this.failed(this.#refusal ? this.#refusal.reason : new FailedAttempt(error, { sent: this.#sent }))
  }

  /** The body is complete. */
  protected abstract ended(): void

  /** There is no answer, or not all of it. */
  protected failed(error: unknown): void {
    this.settle.reject(error)
  }

  #abort(): void {
    this.#release()
    const { reason } = this.request.signal
    this.controller?.abort(reason instanceof Error ? reason : new Error(String(reason)))
    this.failed(reason)
  }

  #release(): void {
    this.request.signal.removeEventListener('abort', this.#onAbort)
  }
}

/** Collects the whole answer. */
export class CallExchange extends Exchange<TransportResponse> {
  readonly #watched: Watched
  readonly #chunks: Buffer[] = []
  readonly #madeAtMs: number
  #sentAtMs: number | undefined
  #bytes = 0
  #status = 0
  #headers: Record<string, string> = {}

  constructor(request: Sendable, settle: Settle<TransportResponse>, watched: Watched) {
    super(request, settle)
    this.#watched = watched
    this.#madeAtMs = watched.clock.now()
  }

  override onRequestStart(controller: Controller): void {
    super.onRequestStart(controller)
    this.#sentAtMs = this.#watched.clock.now()
  }

  onResponseStart(_controller: Controller, status: number, headers: object): void {
    this.#status = status
    this.#headers = flattenHeaders({ ...headers })
    this.#watched.heardAtMs = this.#watched.clock.now()
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    const { maxBytes = Number.POSITIVE_INFINITY } = this.request
    if (this.#bytes <= maxBytes) return
    const error = new AnswerTooLargeError(this.request)
    // First of all, because ending the exchange rejects, too.
    this.settle.reject(error)
    controller.abort(error)
  }

  protected ended(): void {
    const [only, ...more] = this.#chunks
    const body = only && more.length === 0 ? only : Buffer.concat(this.#chunks)
    this.settle.resolve({ status: this.#status, headers: this.#headers, body })
  }

  protected override failed(error: unknown): void {
    const { clock, onSilent } = this.#watched
    if (this.#status === 0 && clock.now() - this.#silentSinceMs() >= silentMs) onSilent()
    super.failed(error)
  }

  /**
   * A call that waits for a connection speaks for all of them, because each has a call that is not answered; but not before one
   * was, since connections may still be made.
   */
  #silentSinceMs(): number {
    const { heardAtMs = Number.POSITIVE_INFINITY } = this.#watched
    return this.#sentAtMs ?? Math.max(this.#madeAtMs, heardAtMs)
  }
}

/** Passes the answer's body on as it arrives, no faster than it is read. */
export class StreamExchange extends Exchange<TransportStream> {
  readonly #body = new Readable({
    read: () => this.controller?.resume(),
    destroy: (error, callback) => {
      this.controller?.abort(error ?? new Error('the reader left'))
      callback(error)
    },
    // A reader of the body gets the error there. Without a reader, and before the headers, the error is not unhandled.
  }).on('error', () => {})

  onResponseStart(_controller: Controller, status: number, headers: object): void {
    // An interim answer, such as 103, comes before the real one.
    if (status < 200) return
    this.settle.resolve({ status, headers: flattenHeaders({ ...headers }), chunks: this.#body })
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (!this.#body.push(chunk)) controller.pause()
  }

  protected ended(): void {
    this.#body.push(null)
  }

  protected override failed(error: unknown): void {
    super.failed(error)
    this.#body.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}
