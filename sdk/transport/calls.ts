import { Readable } from 'node:stream'
import type { Dispatcher, Pool as UndiciPool } from 'undici'
// biome-ignore lint/style/noRestrictedImports: the entry point replaces the connections of the process's `fetch`; see docs/adr/0041
import Pool from 'undici/lib/dispatcher/pool.js'
import type { CancelToken } from '../time/cancellation.js'
import type { Clock } from '../time/clock.js'
import { FailedAttempt, flattenHeaders } from './attempt.js'
import { type DialTarget, dial } from './dial.js'
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
}

/** Options of {@link Calls}. */
export interface CallsOptions {
  target: DialTarget
  /** How many connections at most; undefined means one for each call under way. */
  connections: number | undefined
  /** Told of each call that failed after three seconds without an answer; default nobody. */
  onSilent?: () => void
}

/** A call that fails sooner after it left, in milliseconds, tells nothing of its connection. */
const silentMs = 3000

/** HTTP/1.1 connections to one server that are used again and again: one call at a time each. */
export class Calls {
  readonly #pool: UndiciPool
  readonly #origin: string
  readonly #watched: Watched

  constructor({ target, connections, onSilent = () => {} }: CallsOptions) {
    this.#watched = { clock: target.clock, onSilent, heardAtMs: undefined }
    this.#origin = target.url.origin
    this.#pool = new Pool(this.#origin, {
      connections: connections ?? null,
      // A Go server closes an idle connection after 90 s, a load balancer often after 60 s: be earlier.
      keepAliveTimeout: 30_000,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, callback) => {
        dial(target, ['http/1.1']).then(
          (socket) => callback(null, socket),
          (error: Error) => callback(error, null),
        )
      },
    })
  }

  /** Sends a request and reads the whole answer; rejects with `FailedAttempt`, or what `beforeSend` threw. */
  request(request: Sendable): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      this.#dispatch(request, new CallExchange(request, { resolve, reject }, this.#watched))
    })
  }

  /** Sends a request and resolves with the headers of its answer; the connection serves it alone. */
  stream(request: Sendable): Promise<TransportStream> {
    return new Promise((resolve, reject) => {
      this.#dispatch(request, new StreamExchange(request, { resolve, reject }))
    })
  }

  #dispatch({ method, path, headers, body }: Sendable, exchange: Dispatcher.DispatchHandler): void {
    // Told each time, because the pool would compute it each time.
    this.#pool.dispatch({ origin: this.#origin, method, path, headers, body: body ?? null }, exchange)
  }

  /** Lets the calls under way finish and takes no new ones. */
  async retire(): Promise<void> {
    if (!this.#pool.closed) await this.#pool.close()
  }

  /** Ends everything at once. */
  async destroy(error: Error): Promise<void> {
    if (!this.#pool.destroyed) await this.#pool.destroy(error)
  }
}

interface Settle<T> {
  resolve(answer: T): void
  reject(error: unknown): void
}

/** Who is told of calls without an answer, and what is known of all the connections they share. */
interface Watched {
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
class CallExchange extends Exchange<TransportResponse> {
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
class StreamExchange extends Exchange<TransportStream> {
  readonly #body = new Readable({
    read: () => this.controller?.resume(),
    destroy: (error, callback) => {
      this.controller?.abort(error ?? new Error('the reader left'))
      callback(error)
    },
    // Whoever reads the body learns of an error there; nobody has to, and before the headers nobody can.
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
