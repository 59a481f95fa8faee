import { Exchange, type ExchangeOwner, type Http2Request } from './exchange.js'
import { failure } from './http2-error.js'

/** A request whose answer is collected before it is returned. */
export interface Http2Call extends Http2Request {
  /** The maximum size of the answer's body, in bytes; default unlimited. */
  maxBytes?: number
}

/** A whole answer. */
export interface Http2Answer {
  status: number
  /** The headers by lower-case name; repeated headers are joined by a comma. */
  headers: Record<string, string>
  body: Uint8Array
}

/** The two functions that settle a promise. */
export interface Settle<T> {
  resolve(answer: T): void
  reject(error: unknown): void
}

/** The body of an answer has more bytes than the caller accepts. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
  readonly code = failure.tooLarge
}

/** The largest content-length for which memory is reserved before the body arrives, in bytes. */
const maxReservedBytes = 1024 * 1024

/** The exchange of a call over HTTP/2: collects a whole answer, and settles the promise of its caller. */
export class CallExchange extends Exchange {
  readonly kind = 'call'
  readonly #maxBytes: number
  readonly #settle: Settle<Http2Answer>
  #status = 0
  #headers: Record<string, string> = {}
  #body = emptyBody
  #bytes = 0

  constructor(request: Http2Call, owner: ExchangeOwner, settle: Settle<Http2Answer>) {
    super(request, owner)
    this.#maxBytes = request.maxBytes ?? Number.POSITIVE_INFINITY
    this.#settle = settle
  }

  protected onHeaders(status: number, headers: Record<string, string>): void {
    this.#status = status
    this.#headers = headers
    const expected = Number(headers['content-length'] ?? 0)
    if (expected > this.#maxBytes) this.#refuse()
    else if (expected > 0) this.#body = Buffer.allocUnsafe(Math.min(expected, maxReservedBytes))
  }

  protected onData(part: Uint8Array): void {
    const bytes = this.#bytes + part.length
    if (bytes > this.#maxBytes) {
      this.#refuse()
      return
    }
    if (bytes > this.#body.length) this.#grow(bytes)
    this.#body.set(part, this.#bytes)
    this.#bytes = bytes
    this.owner.release(this, part.length)
  }

  protected onEnded(): void {
    const body = this.#bytes === this.#body.length ? this.#body : this.#body.subarray(0, this.#bytes)
    this.#settle.resolve({ status: this.#status, headers: this.#headers, body })
  }

  protected onFailed(error: unknown): void {
    this.#settle.reject(error)
  }

  /** Ends a call whose answer is too large. */
  #refuse(): void {
    const { method, path } = this.request
    const message = `${method} ${path.replace(/\?.*$/s, '')}: the answer has more than ${this.#maxBytes} bytes`
    this.owner.cancel(this, new AnswerTooLarge(message))
  }

  /** Makes room for more bytes. Most bodies have only one part. */
  #grow(bytes: number): void {
    const larger = Buffer.allocUnsafe(this.#bytes === 0 ? bytes : Math.max(bytes, 2 * this.#body.length))
    this.#body.copy(larger, 0, 0, this.#bytes)
    this.#body = larger
  }
}

const emptyBody = Buffer.alloc(0)
