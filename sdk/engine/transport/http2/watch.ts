import { Exchange, type ExchangeOwner, type Http2Request } from './exchange.js'

/** Receives the answer of a {@link Watch}. Either `onEnded` or `onFailed` is called, once; neither may throw. */
export interface WatchHandler {
  onHeaders(status: number, headers: Record<string, string>): void
  /**
   * Called with a part of the body, which is valid only during the call. The server sends at most a window of bytes
   * before {@link Watch.take} gives bytes back.
   */
  onData(part: Uint8Array): void
  /** Called when the server ended the body in order. */
  onEnded(): void
  /** Called when there is no answer, or only a part of it. */
  onFailed(error: unknown): void
}

/** A request whose answer arrives over a long time. */
export class Watch extends Exchange {
  readonly kind = 'watch'
  readonly #handler: WatchHandler

  constructor(request: Http2Request, owner: ExchangeOwner, handler: WatchHandler) {
    super(request, owner)
    this.#handler = handler
  }

  /** Records that `bytes` bytes of the body are processed, so that the server may send as many. */
  take(bytes: number): void {
    if (!this.isOver) this.owner.release(this, bytes)
  }

  /** Resets the stream, and fails with the reason. */
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
