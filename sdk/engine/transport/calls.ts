import type { Dispatcher, Pool as UndiciPool } from 'undici'
// biome-ignore lint/style/noRestrictedImports: the entry point replaces the connections of the process's `fetch`; see docs/adr/0041
import Pool from 'undici/lib/dispatcher/pool.js'
import { type DialTarget, dial } from './dial.js'
import { CallExchange, type Sendable, StreamExchange, type Watched } from './http-exchange.js'
import type { TransportResponse, TransportStream } from './transport.js'

/** Options of {@link Calls}. */
export interface CallsOptions {
  target: DialTarget
  /** How many connections at most; undefined means one for each call under way. */
  connections: number | undefined
  /** Called for each call that failed after three seconds without a response; default none. */
  onSilent?: () => void
}

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
