import { statusName } from './status.js'

/**
 * The failure of a gRPC call. A method that throws one answers its code and details; a call that fails rejects with
 * one.
 *
 * @example
 * ```ts
 * throw new GrpcError(GrpcStatus.NOT_FOUND, 'there is no cluster "north"')
 * ```
 */
export class GrpcError extends Error {
  override readonly name = 'GrpcError'
  /** A number of `GrpcStatus`. */
  readonly code: number
  /** The message without the code. */
  readonly details: string

  constructor(code: number, details: string, options?: ErrorOptions) {
    super(`${code} ${statusName(code)}: ${details}`, options)
    this.code = code
    this.details = details
  }
}
