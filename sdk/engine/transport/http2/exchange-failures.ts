import type { Exchange } from './exchange.js'
import { failure, Http2Error } from './http2-error.js'

/**
 * Ends exchanges with errors that name the request, and say whether the server may have seen it, so that the transport
 * knows whether to repeat it.
 */
export class ExchangeFailures {
  readonly #authority: string

  constructor(authority: string) {
    this.#authority = authority
  }

  /** Fails a request that the server never saw, so that it may be sent again. */
  failUnsent(exchange: Exchange, code: string, reason: string): void {
    this.#fail(exchange, reason, { code, sent: false })
  }

  /** Fails an exchange whose stream ended, while the connection goes on. */
  failStream(exchange: Exchange, reason: string, sent: boolean): void {
    this.#fail(exchange, reason, { code: failure.stream, sent })
  }

  /** Fails an exchange whose connection ended. `writes` is the number of writes of the socket until then. */
  failConnection(exchange: Exchange, error: Error, writes: number): void {
    const code = 'code' in error ? String(error.code) : failure.connection
    const sent = exchange.streamId > 0 && writes > exchange.writesBefore
    this.#fail(exchange, error.message, { code, sent, cause: error })
  }

  #fail(exchange: Exchange, reason: string, details: { code: string; sent: boolean; cause?: unknown }): void {
    const { method, path } = exchange.request
    exchange.isSendingOver = true
    exchange.fail(new Http2Error({ method, path, host: this.#authority }, reason, details))
  }
}
