import type { Dispatcher, Pool as UndiciPool } from 'undici'
// The package's index loads much that is not used here; this part loads in a third of the time.
import Pool from 'undici/lib/dispatcher/pool.js'
import { FailedAttempt, flattenHeaders } from './attempt.js'
import { type DialTarget, dial } from './dial.js'
import type { TransportRequest, TransportResponse, TransportStream } from './transport.js'

/** A request with its credentials, its full path and its life. */
export interface Sendable extends Omit<TransportRequest, 'headers' | 'signal' | 'timeoutMs'> {
  headers: Record<string, string | string[]>
  signal: AbortSignal
}

/** HTTP/1.1 connections to one server that are used again and again: one call at a time each. */
export class Calls {
  readonly #pool: UndiciPool

  /** @param connections how many at most; undefined means one for each call under way */
  constructor(target: DialTarget, connections: number | undefined) {
    this.#pool = new Pool(target.url.origin, {
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
      const exchange = new Exchange(request, { resolve, reject })
      const { method, path, headers, body = null } = request
      this.#pool.dispatch({ method, path, headers, body }, exchange)
    })
  }

  /** Sends a request and resolves with the headers of its answer; the connection serves it alone. */
  async stream({ method, path, headers, signal, beforeSend }: Sendable): Promise<TransportStream> {
    beforeSend?.()
    try {
      const answer = await this.#pool.request({ method, path, headers, signal })
      return {
        status: answer.statusCode,
        headers: flattenHeaders(answer.headers),
        chunks: answer.body,
      }
    } catch (error) {
      throw new FailedAttempt(error, { sent: true })
    }
  }

  /** Lets the calls under way finish and takes no new ones. */
  async retire(): Promise<void> {
    if (!this.#pool.closed) await this.#pool.close()
  }

  /** Ends everything at once. */
  async destroy(): Promise<void> {
    if (!this.#pool.destroyed) await this.#pool.destroy(new Error('the transport was closed'))
  }
}

interface Settle {
  resolve(response: TransportResponse): void
  reject(error: unknown): void
}

/** One request on its way: collects the answer, or aborts with its signal. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: Sendable
  readonly #settle: Settle
  readonly #chunks: Buffer[] = []
  readonly #onAbort = () => this.#abort()
  #controller: Dispatcher.DispatchController | undefined
  #sent = false
  #refusal: { reason: unknown } | undefined
  #status = 0
  #headers: Record<string, string> = {}

  constructor(request: Sendable, settle: Settle) {
    this.#request = request
    this.#settle = settle
    request.signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Called when a connection is free, right before the bytes leave; throwing here sends nothing. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    try {
      this.#request.signal.throwIfAborted()
      this.#request.beforeSend?.()
    } catch (reason) {
      this.#refusal = { reason }
      throw reason
    }
    this.#sent = true
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: object): void {
    this.#status = status
    this.#headers = flattenHeaders({ ...headers })
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#release()
    const [only, ...more] = this.#chunks
    const body = only && more.length === 0 ? only : Buffer.concat(this.#chunks)
    this.#settle.resolve({ status: this.#status, headers: this.#headers, body })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#release()
    this.#settle.reject(this.#refusal ? this.#refusal.reason : new FailedAttempt(error, { sent: this.#sent }))
  }

  #abort(): void {
    this.#release()
    const { reason } = this.#request.signal
    this.#controller?.abort(reason instanceof Error ? reason : new Error(String(reason)))
    this.#settle.reject(reason)
  }

  #release(): void {
    this.#request.signal.removeEventListener('abort', this.#onAbort)
  }
}
