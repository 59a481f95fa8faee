import { Exchange, type ExchangeOwner, type Http2Request } from './exchange.js'

/** Receives the answer of a {@link Watch}. Exactly one of the last two is called, once, and it must not throw. */
export interface WatchHandler {
  onHeaders(status: number, headers: Record<string, string>): void
  /**
   * A part of the body, which is valid only during the call. The server sends at most a window of bytes that were not
   * given back with {@link Watch.take}.
   */
  onData(part: Uint8Array): void
  /** The server ended the body well. */
  onEnded(): void
  /** There is no answer, or not all of it. */
  onFailed(error: unknown): void
}

/** A request whose answer goes on arriving. */
export class Watch extends Exchange {
  readonly kind = 'watch'
  readonly #handler: WatchHandler

  constructor(request: Http2Request, owner: ExchangeOwner, handler: WatchHandler) {
    super(request, owner)
    this.#handler = handler
  }

  /** Says that so many bytes of the body are processed, so that the server may send as many. */
  take(bytes: number): void {
    if (!this.isOver) this.owner.release(this, bytes)
  }

  /** Wants no more: resets the stream, and fails with the reason. */
  cancel(reason: unknown): void {
    if (!this.isOver) this.owner.cancel(this, reason)
  }

  protected onHeaders(status: number, headers: Record<string, string>): void {
    this.#handler.onHeaders(status, headers)
  }

  protected onData(part: Uint8Array): void {
    this.#handler.onData(part)
  }

  protected onEnded(): void {
    this.#handler.onEnded()
  }

  protected onFailed(error: unknown): void {
    this.#handler.onFailed(error)
  }
}
