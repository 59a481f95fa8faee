import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { systemClock } from '../time/clock.js'
import { GrpcError } from './grpc-error.js'
import { contentType, encodeDetails, isGrpcType, parseTimeout } from './headers.js'
import { framedMessage, MessageReader } from './messages.js'
import { GrpcStatus } from './status.js'

/** Called with the request of a call, as bytes. */
type RequestListener = (request: Buffer) => void

const responseHeaders = { ':status': 200, 'content-type': contentType }
const okTrailers = { 'grpc-status': '0' }

/** One call on its HTTP/2 stream: reads the request, and sends messages and the status once. */
export class ServerCall {
  readonly #stream: ServerHttp2Stream
  readonly #reader: MessageReader
  #request: Buffer | undefined
  #ended: GrpcError | undefined
  #abort: AbortController | undefined
  #isAnswered = false
  #trailers: Readonly<Record<string, string>> = okTrailers
  #cancelLimit = () => {}

  constructor(stream: ServerHttp2Stream, maxRequestBytes: number) {
    this.#stream = stream
    this.#reader = new MessageReader(maxRequestBytes)
    // The end of the connection ends the call, which 'close' reports.
    stream.on('error', () => {})
    stream.on('close', () => this.#end(new GrpcError(GrpcStatus.CANCELLED, 'the caller gave up')))
  }

  /** Aborted when the caller gives up, its time limit is over, or the connection ends, before the call is answered. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController()
    if (this.#ended) this.#abort.abort(this.#ended)
    return this.#abort.signal
  }

  /** Returns false, and answers it, for a request in another format. Otherwise starts the caller's time limit. */
  accept(headers: IncomingHttpHeaders): boolean {
    if (!isGrpcType(headers['content-type'])) {
      if (!this.#isOver) this.#answerEarly({ ':status': 415 })
      this.#isAnswered = true
      return false
    }
    const limitMs = parseTimeout(String(headers['grpc-timeout']))
    if (limitMs !== undefined) this.#cancelLimit = systemClock.schedule(limitMs, () => this.#exceed())
    return true
  }

  /** Reads the single request. `onRequest` is called when the caller has sent it and nothing else. */
  readOne(onRequest: RequestListener): void {
    this.#readAll()
    this.#stream.on('end', () => {
      if (this.#isAnswered) return
      if (this.#request === undefined || this.#reader.isWithin)
        return this.fail(new GrpcError(GrpcStatus.INTERNAL, 'the call has no complete request'))
      onRequest(this.#request)
    })
  }

  /** Reads the requests, which are ignored, until the call ends. */
  ignoreRequests(): void {
    this.#stream.resume()
  }

  /** Sends the headers, so that the caller knows that the call is served. */
  open(): void {
    if (this.#stream.headersSent || this.#isOver) return
    this.#stream.respond(responseHeaders, { waitForTrailers: true })
    this.#stream.on('wantTrailers', () => this.#stream.sendTrailers(this.#trailers))
  }

  /** Sends a message of a stream. Does nothing once the call has ended. */
  send(message: Uint8Array): void {
    this.open()
    if (!this.#isOver) this.#stream.write(framedMessage(message))
  }

  /** Sends the response, and ends the call with success. Does nothing if it has ended. */
  answer(message: Uint8Array): void {
    const frame = framedMessage(message)
    this.open()
    if (this.#isOver) return
    this.#answered()
    this.#stream.end(frame)
  }

  /** Ends the call with a status. Does nothing if it has ended. */
  fail({ code, details }: GrpcError): void {
    if (this.#isOver) return
    this.#answered()
    this.#trailers = { 'grpc-status': String(code), 'grpc-message': encodeDetails(details) }
    const stream = this.#stream
    if (stream.headersSent) {
      // A reset would drop the trailers.
      stream.end()
      stream.resume()
      return
    }
    this.#answerEarly({ ...responseHeaders, ...this.#trailers })
  }

  /** Answers by headers alone. The rest of the request is not read. */
  #answerEarly(headers: OutgoingHttpHeaders): void {
    const stream = this.#stream
    stream.respond(headers, { endStream: true })
    // Node 22 would send a reset of the same turn before the answer.
    if (!stream.readableEnded) setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR))
  }

  get #isOver(): boolean {
    return this.#isAnswered || this.#stream.destroyed || this.#stream.closed
  }

  #readAll(): void {
    this.#stream.on('data', (chunk: Buffer) => {
      if (this.#isAnswered) return
      try {
        for (const message of this.#reader.read(chunk)) this.#take(message)
      } catch (error) {
        this.fail(error as GrpcError)
      }
    })
  }

  #take(message: Buffer): void {
    if (this.#request !== undefined)
      throw new GrpcError(GrpcStatus.INTERNAL, 'the call has more than one request')
    this.#request = message
  }

  #exceed(): void {
    const error = new GrpcError(GrpcStatus.DEADLINE_EXCEEDED, "the caller's time limit is over")
    const isFirst = !this.#isOver
    this.fail(error)
    if (isFirst) this.#cancel(error)
  }

  #answered(): void {
    this.#isAnswered = true
    this.#cancelLimit()
  }

  #end(error: GrpcError): void {
    this.#cancelLimit()
    if (!this.#isAnswered) this.#cancel(error)
  }

  #cancel(error: GrpcError): void {
    if (this.#ended) return
    this.#ended = error
    this.#abort?.abort(error)
  }
}
