import { ApiError } from './error.js'

/**
 * A call had no answer, or not all of it: the network, a proxy or the server failed. The message names the call, and
 * the cause is what the system reported. Such errors are logged without their stack.
 */
export class NetworkError extends Error {
  override readonly name: string

  constructor(message: string, { cause, name = 'NetworkError' }: { cause?: unknown; name?: string } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = name
  }
}

/** Converts an error that only the other side can have caused: its data broke off, or is invalid. */
export function asNetworkError(error: unknown): unknown {
  if (error instanceof NetworkError || error instanceof ApiError || !(error instanceof Error)) return error
  return new NetworkError(error.message, { cause: error, name: error.name })
}
