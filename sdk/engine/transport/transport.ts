import type { Duplex } from 'node:stream'
import type { CancelToken } from '../time/cancellation.js'
import type { Impersonation } from './kubeconfig.js'

/**
 * One cluster's API server, as calls and streams of bytes. Everything above speaks to a cluster through
 * this interface; the real implementation uses sockets, the test kit's calls the embedded server in
 * process.
 *
 * A transport adds authentication, follows rotated credentials, retries what is safe to retry and honours
 * Retry-After. It promises nothing about the meaning of bytes, and it never logs credentials.
 */
export interface Transport {
  /** Makes one call and reads the whole answer. Answers of any status resolve; only a failed exchange rejects. */
  request(request: TransportRequest): Promise<TransportResponse>
  /** Opens a long-lived answer (a watch). Resolves once the status and headers are there. */
  stream(request: TransportRequest): Promise<TransportStream>
  /**
   * Asks for another protocol on the connection (exec, attach, port-forward), as the request's `upgrade` header says.
   * Resolves with the connection, or with the answer of a server that refuses. Left out if the transport has no
   * sockets.
   */
  upgrade?(request: TransportRequest): Promise<TransportUpgrade>
  /** Why no call can be made, in words, such as missing credentials; `undefined` or absent if calls can be made. */
  readonly problem?: string | undefined
  /** Closes every connection; running calls reject. */
  close(): Promise<void>
}

/** One HTTP request below the cluster's server URL. */
export interface TransportRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with query, for example `/api/v1/configmaps?limit=500`, without the server's own path prefix. */
  path: string
  /** Lower-case header names. `content-type` is needed with a body. */
  headers?: Record<string, string>
  body?: string | Uint8Array
  /**
   * The user to impersonate, instead of the one in the kubeconfig; needs the permission `impersonate`. Default none.
   */
  as?: Impersonation
  /** Aborts the call; the promise, or the stream's iteration, rejects with the signal's reason. */
  signal?: CancelToken
  /**
   * Called right before each attempt is sent, retries included, after any waiting for a connection or for the rate
   * limit; if it throws, nothing is sent and the call rejects with that error.
   */
  beforeSend?: () => void
  /**
   * Whole-call limit in milliseconds for `request`, default 60,000; limit until the headers for `stream`, default
   * 30,000.
   */
  timeoutMs?: number
  /**
   * The maximum size of the body that `request` reads, in bytes. For a larger body it rejects with
   * `AnswerTooLargeError`. Default the limit of the transport.
   */
  maxBytes?: number
}

/** An answer that was not read, or not to its end. */
export interface LargeAnswer extends Partial<Pick<TransportRequest, 'method'>> {
  path: string
  /** The exceeded limit, in bytes. */
  maxBytes?: number
  /** The subject of the message, with its verb; default `the answer has`. */
  subject?: string
  /** The end of the message; default that a list is to be read in smaller pages. */
  advice?: string
}

const defaultAdvice =
  'check that the server is a Kubernetes API server; if this is a list, request fewer objects at a time'

/** The body of an answer, or all pages of a list together, are larger than the caller accepts. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError'

  constructor(answer: LargeAnswer) {
    const { method = 'GET', path, maxBytes, subject = 'the answer has', advice = defaultAdvice } = answer
    super(`${method} ${path.replace(/\?.*$/s, '')}: ${subject} more than ${maxBytes} bytes; ${advice}`)
  }
}

/** A complete answer. */
export interface TransportResponse {
  status: number
  /** Lower-case header names. */
  headers: Record<string, string>
  body: Uint8Array
}

/** An answer whose body arrives over a long time. */
export interface TransportStream {
  status: number
  headers: Record<string, string>
  /**
   * The body as it arrives. Ends when the server ends it in order; throws when the connection breaks or is silent for
   * too long. Leaving the loop closes the stream.
   */
  chunks: Chunks
}

/** The body of an answer as it arrives. Read it once, by iteration or by `takeAll`. */
export interface Chunks extends AsyncIterable<Uint8Array> {
  /**
   * Calls `take` with each chunk in the turn of the event loop in which it arrives, without the promises of an
   * iteration. Resolves at the end. Rejects with the error of the iteration or of `take`, and then closes the stream.
   * Left out if it would not be faster.
   */
  takeAll?(take: TakeChunk): Promise<void>
}

/** Takes one chunk. The next chunks wait for the returned promise; a rejection ends the stream. */
export type TakeChunk = (chunk: Uint8Array) => Promise<void> | undefined

/** The answer to a request for another protocol: with status 101, a connection that speaks the protocol. */
export interface TransportUpgrade extends TransportStream {
  /** The connection, which no longer carries HTTP. The caller destroys it. */
  socket?: Duplex
}
