import { ApiError } from './error.js'

/** Options of {@link NetworkError}. */
export interface NetworkErrorOptions {
  cause?: unknown
  /** Default `NetworkError`. */
  name?: string
  /** The failure without the call and the server; default the message. */
  reason?: string
  /** Whether a certificate is the cause, so that it does not end by itself; default false. */
  isOfCertificates?: boolean
}

/**
 * A call had no answer, or not all of it: the network, a proxy or the server failed. The message names the call, and
 * the cause is what the system reported. Such errors are logged without their stack.
 */
export class NetworkError extends Error {
  override readonly name: string
  /** The failure and its cure without the call and the server, for messages that name these themselves. */
  readonly reason: string
  readonly isOfCertificates: boolean

  constructor(
    message: string,
    { cause, name = 'NetworkError', reason = message, isOfCertificates = false }: NetworkErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = name
    this.reason = reason
    this.isOfCertificates = isOfCertificates
  }
}

/** The message of an error for a sentence that names the server: that of a network error without its call. */
export function reasonOf(error: unknown): string {
  if (error instanceof NetworkError) return error.reason
  return error instanceof Error ? error.message : String(error)
}

/** Converts an error that only the other side can have caused: its data broke off, or is invalid. */
export function asNetworkError(error: unknown): unknown {
  if (error instanceof NetworkError || error instanceof ApiError || !(error instanceof Error)) return error
  return new NetworkError(error.message, { cause: error, name: error.name })
}
