import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2'
import { authorityOf, type GrpcTarget } from './connection.js'
import { GrpcError } from './grpc-error.js'
import { contentType, decodeDetails, formatTimeout, isGrpcType } from './headers.js'
import { framedMessage, MessageReader } from './messages.js'
import { GrpcStatus } from './status.js'

/** The request of a call, and its listeners. */
export interface ClientCallOptions {
  target: GrpcTarget
  path: string
  /** The request; undefined for a call that never sends one. */
  request: Uint8Array | undefined
  /** The largest message that is received, in bytes. */
  maxMessageBytes: number
  /** Sent to the server, in milliseconds; undefined for no limit. */
  timeoutMs: number | undefined
  onMessage(message: Buffer): void
  /** Called once: with undefined if the call has succeeded. */
  onEnd(error: GrpcError | undefined): void
}

/** One call on its HTTP/2 stream. */
export class ClientCall {
  readonly #options: ClientCallOptions
  readonly #session: ClientHttp2Session
  readonly #stream: ClientHttp2Stream
  readonly #reader: MessageReader
  #status: GrpcError | 'OK' | undefined
  #cause: Error | undefined
  #isEnded = false

  constructor(session: ClientHttp2Session, options: ClientCallOptions) {
    this.#options = options
    this.#session = session
    this.#reader = new MessageReader(options.maxMessageBytes)
    this.#stream = openStream(session, headersOf(options))
    this.#listen()
    if (options.request) this.#stream.end(framedMessage(options.request))
  }

  /** Ends the call, without {@link ClientCallOptions.onEnd}. */
  cancel(): void {
    this.#isEnded = true
    this.#stream.close(constants.NGHTTP2_CANCEL)
  }

  #listen(): void {
    const stream = this.#stream
    stream.on('error', (error) => {
      this.#cause = error
    })
    stream.on('response', (headers) => {
      this.#status = statusOf(headers) ?? refusalOf(headers)
    })
    stream.on('trailers', (trailers: IncomingHttpHeaders) => {
      this.#status ??= statusOf(trailers)
    })
    stream.on('data', (chunk: Buffer) => this.#read(chunk))
    stream.on('end', () => {
      if (this.#status !== undefined || stream.closed) this.#finish(this.#result())
    })
    stream.on('close', () => this.#end(this.#result()))
  }

  #read(chunk: Buffer): void {
    if (this.#isEnded || this.#status !== undefined) return
    try {
      for (const message of this.#reader.read(chunk)) this.#options.onMessage(message)
    } catch (error) {
      this.#finish(error as GrpcError)
    }
  }

  #result(): GrpcError | undefined {
    if (this.#status === 'OK') return undefined
    return this.#status ?? this.#brokenError()
  }

  /** The error of a call that ended without a status. */
  #brokenError(): GrpcError {
    const cause = this.#cause
    if (this.#session.destroyed || this.#session.closed) {
      const details = `the connection was lost${cause ? `: ${cause.message}` : ''}`
      return new GrpcError(GrpcStatus.UNAVAILABLE, details, { cause })
    }
    const { rstCode = constants.NGHTTP2_NO_ERROR } = this.#stream
    const details = `the server ended the call without an answer (HTTP/2 error ${rstCode})`
    return new GrpcError(streamErrors[rstCode] ?? GrpcStatus.INTERNAL, details, { cause })
  }

  /** Ends the call also if the server has not read all of the request. */
  #finish(error: GrpcError | undefined): void {
    this.#end(error)
    const stream = this.#stream
    if (stream.readableEnded && stream.writableFinished) return
    // A stream that the server has reset waits for the rest of the request.
    if (stream.closed) stream.destroy()
    else stream.close(constants.NGHTTP2_CANCEL)
  }

  #end(error: GrpcError | undefined): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#options.onEnd(error)
  }
}

/** Opens the stream of a call. Throws {@link GrpcError} `UNAVAILABLE` if the session has just ended. */
function openStream(session: ClientHttp2Session, headers: Record<string, string>): ClientHttp2Stream {
  try {
    return session.request(headers, { endStream: false })
  } catch (cause) {
    const details = `the connection has ended: ${(cause as Error).message}`
    throw new GrpcError(GrpcStatus.UNAVAILABLE, details, { cause })
  }
}

function headersOf({ path, timeoutMs, target }: ClientCallOptions): Record<string, string> {
  return {
    ':method': 'POST',
    ':scheme': target.tls ? 'https' : 'http',
    ':authority': authorityOf(target),
    ':path': path,
    'content-type': contentType,
    te: 'trailers',
    ...(timeoutMs !== undefined && { 'grpc-timeout': formatTimeout(timeoutMs) }),
  }
}

/** The status in headers or trailers; undefined if they have none. */
function statusOf(headers: IncomingHttpHeaders): GrpcError | 'OK' | undefined {
  const code = headers['grpc-status']
  if (code === undefined) return undefined
  const number = /^\d+$/.test(String(code)) ? Number(code) : GrpcStatus.UNKNOWN
  if (number === GrpcStatus.OK) return 'OK'
  return new GrpcError(number, decodeDetails(String(headers['grpc-message'] ?? '')))
}

/** The status of an answer that is not from a gRPC server; undefined for one that is. */
function refusalOf(headers: IncomingHttpHeaders): GrpcError | undefined {
  const code = Number(headers[':status'])
  const type = headers['content-type']
  if (code === 200 && isGrpcType(type)) return undefined
  const answer = code === 200 ? `content of type ${type ?? 'unknown'}` : `HTTP status ${code}`
  return new GrpcError(
    httpStatuses[code] ?? GrpcStatus.UNKNOWN,
    `the server answered ${answer} instead of gRPC`,
  )
}

/** See https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md. */
const httpStatuses: Readonly<Record<number, number>> = {
  400: GrpcStatus.INTERNAL,
  401: GrpcStatus.UNAUTHENTICATED,
  403: GrpcStatus.PERMISSION_DENIED,
  404: GrpcStatus.UNIMPLEMENTED,
  429: GrpcStatus.UNAVAILABLE,
  502: GrpcStatus.UNAVAILABLE,
  503: GrpcStatus.UNAVAILABLE,
  504: GrpcStatus.UNAVAILABLE,
}

/** The status of a call that the server has ended by an HTTP/2 error. Any other error is `INTERNAL`. */
const streamErrors: Readonly<Record<number, number>> = {
  [constants.NGHTTP2_REFUSED_STREAM]: GrpcStatus.UNAVAILABLE,
  [constants.NGHTTP2_CANCEL]: GrpcStatus.CANCELLED,
  [constants.NGHTTP2_ENHANCE_YOUR_CALM]: GrpcStatus.RESOURCE_EXHAUSTED,
  [constants.NGHTTP2_INADEQUATE_SECURITY]: GrpcStatus.PERMISSION_DENIED,
}
