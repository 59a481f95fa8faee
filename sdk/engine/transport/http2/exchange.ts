import type { CancelToken } from '../../time/cancellation.js'
import type { HeaderList } from './header-list.js'
import { errorCode, StreamError } from './protocol.js'

/** One request. */
export interface Http2Request {
  method: string
  /** Path with query. */
  path: string
  /** Lower-case header names, without those that begin with a colon. */
  headers: Readonly<Record<string, string | readonly string[]>>
  body?: string | Uint8Array
  /** Resets the stream; the request then ends with the signal's reason. */
  signal: CancelToken
  /** Called right before the request leaves; when it throws, nothing is sent. */
  beforeSend?: () => void
  /**
   * The part of {@link beforeSend} that is also checked after the caller has given up the request, which may still be
   * sent.
   */
  gate?: () => void
}

/** The kind of an exchange: calls are short, watches stay open. */
export type StreamKind = 'call' | 'watch'

/** The members of a session that an {@link Exchange} needs. */
export interface ExchangeOwner {
  /** Cancels an exchange whose caller wants no answer any more; it fails with the reason. */
  cancel(exchange: Exchange, reason: unknown): void
  /** Records that the reader took `bytes` bytes of the body. */
  release(exchange: Exchange, bytes: number): void
  /** Removes an exchange that is over. */
  remove(exchange: Exchange): void
}

/**
 * One request and its response on one stream: the state of both directions. `CallExchange` and `Watch` extend it; the
 * connection calls `receive…` for frames of the stream, and `fail` when no answer can come.
 */
export abstract class Exchange {
  abstract readonly kind: StreamKind
  readonly request: Http2Request
  /** The id of the stream; 0 while the request waits. */
  streamId = 0
  /** How many writes the connection had seen when the request was written. */
  writesBefore = 0
  /** How many bytes of the body the server accepts now; below 0 after the server reduced its window. */
  sendWindow = 0
  /** The body while it waits for the window, and how many bytes of it were sent. */
  body: Uint8Array | undefined
  bodySent = 0
  /** Whether nothing more is sent on the stream: the request is sent, or the stream was reset. */
  isSendingOver = false
  /** How many bytes of the answer the server may send. */
  receiveWindow = 0
  /** How many bytes of the answer were taken since the last WINDOW_UPDATE. */
  unannounced = 0
  /** Whether the exchange has ended, with an answer or with an error. */
  isOver = false
  /** Whether the headers of an answer arrived. */
  isAnswered = false
  protected readonly owner: ExchangeOwner
  #phase: 'headers' | 'body' = 'headers'
  #mayHaveBody = true
  #expectedBytes: number | undefined
  #receivedBytes = 0
  readonly #onAbort = () => this.owner.cancel(this, this.request.signal.reason)

  constructor(request: Http2Request, owner: ExchangeOwner) {
    this.request = request
    this.owner = owner
    request.signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Handles interim headers, the headers of the answer, or trailers. Throws {@link StreamError}. */
  receiveHeaders(list: HeaderList, isLast: boolean): void {
    if (list.problem !== undefined) throw this.#malformedError(list.problem)
    if (this.#phase === 'body') this.#checkTrailers(list, isLast)
    else if (list.status >= 200) this.#begin(list)
    else if (list.status === 0 || list.status === 101 || isLast) throw this.#malformedError('no valid status')
    if (isLast) this.#end()
  }

  /** Handles a part of the body. Throws {@link StreamError}. */
  receiveData(part: Uint8Array, isLast: boolean): void {
    if (this.#phase === 'headers') throw this.#malformedError('a body before its headers')
    this.#receivedBytes += part.length
    if (this.#receivedBytes > (this.#expectedBytes ?? Number.POSITIVE_INFINITY))
      throw this.#malformedError(wrongLength)
    if (part.length > 0) this.onData(part)
    if (isLast && !this.isOver) this.#end()
  }

  /** Ends the exchange without a complete answer; a second call has no effect. */
  fail(error: unknown): void {
    if (!this.#close()) return
    this.onFailed(error)
  }

  /** Called with the head of the answer. */
  protected abstract onHeaders(status: number, headers: Record<string, string>): void
  /** Called with each part of the body, which is valid only during the call. */
  protected abstract onData(part: Uint8Array): void
  /** Called after the last part of a complete answer. */
  protected abstract onEnded(): void
  /** Called once if there is no complete answer. */
  protected abstract onFailed(error: unknown): void

  /** Takes the head of the answer. Interim answers such as 100 do not get here. */
  #begin({ status, headers }: HeaderList): void {
    this.isAnswered = true
    const length = headers['content-length']
    if (length !== undefined && !/^\d+$/.test(length))
      throw this.#malformedError('a content-length that is not a number')
    this.#phase = 'body'
    this.#mayHaveBody = this.request.method !== 'HEAD' && status !== 204 && status !== 304
    if (length !== undefined && this.#mayHaveBody) this.#expectedBytes = Number(length)
    this.onHeaders(status, headers)
  }

  #checkTrailers({ status }: HeaderList, isLast: boolean): void {
    if (!isLast || status !== 0) throw this.#malformedError('trailers that are not the end')
  }

  #end(): void {
    if (this.#receivedBytes !== (this.#expectedBytes ?? this.#receivedBytes))
      throw this.#malformedError(wrongLength)
    if (this.#close()) this.onEnded()
  }

  /** Marks the exchange as over, and gives its stream back. Returns false if it was over before. */
  #close(): boolean {
    if (this.isOver) return false
    this.isOver = true
    this.body = undefined
    this.request.signal.removeEventListener('abort', this.#onAbort)
    this.owner.remove(this)
    return true
  }

  #malformedError(problem: string): StreamError {
    return new StreamError(
      this.streamId,
      errorCode.protocolError,
      `the server's answer is malformed: ${problem}`,
    )
  }
}

const wrongLength = 'its body is not as long as its content-length says'
