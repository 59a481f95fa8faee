/** The request that an {@link Http2Error} names. */
export interface FailedRequest {
  method: string
  path: string
  /** The server's host and port. */
  host: string
}

/** Options of {@link Http2Error}. */
export interface Http2ErrorOptions {
  /** The system's or the protocol's name for what went wrong, for example `ECONNRESET`. */
  code: string
  /** Whether any part of the request may have reached the server. */
  sent: boolean
  cause?: unknown
}

/**
 * A request ended without its answer. The message names the request without its query and says whether the request may
 * be repeated: a request may be repeated if it certainly did not reach the server.
 */
export class Http2Error extends Error {
  override readonly name = 'Http2Error'
  readonly code: string
  readonly sent: boolean
  /** The cause in words, without the request. */
  readonly reason: string

  constructor(
    { method, path, host }: FailedRequest,
    reason: string,
    { code, sent, cause }: Http2ErrorOptions,
  ) {
    const fate = sent ? 'unanswered, it may have reached the server' : 'it did not reach the server'
    super(
      `${method} ${path.replace(/\?.*$/s, '')} at ${host}: ${reason} (${fate})`,
      cause === undefined ? undefined : { cause },
    )
    this.code = code
    this.sent = sent
    this.reason = reason
  }
}

/** Why a connection ended. The requests under way then end with an {@link Http2Error} that says the same. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  readonly code: string

  constructor(reason: string, { code, cause }: { code: string; cause?: unknown }) {
    super(reason, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** The error codes of this module. Codes of the system, such as `ECONNRESET`, are passed through. */
export const failure = {
  /** The connection ended, or the peer broke the protocol. */
  connection: 'ERR_HTTP2_SESSION_ERROR',
  /** The server announced the end of the connection, and did not begin the request. */
  goaway: 'ERR_HTTP2_GOAWAY_SESSION',
  /** The server reset the stream, or its answer broke the protocol. */
  stream: 'ERR_HTTP2_STREAM_ERROR',
  /** The session takes no new requests. */
  closed: 'ERR_HTTP2_INVALID_SESSION',
  /** The server did not answer a PING in time. */
  silent: 'SILENT_CONNECTION',
  /** The answer's body has more than `maxBytes`. */
  tooLarge: 'ANSWER_TOO_LARGE',
  /** The request has a header or a path that HTTP/2 cannot carry. */
  invalidRequest: 'ERR_HTTP2_INVALID_REQUEST',
} as const
