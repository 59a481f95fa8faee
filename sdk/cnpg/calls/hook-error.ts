import { GrpcStatus } from '../../engine/grpc/status.js'

/** The gRPC status of a failed call. The operator shows only the message; proxies and logs use the code. */
export type HookErrorCode =
  | 'INVALID_ARGUMENT'
  | 'NOT_FOUND'
  | 'FAILED_PRECONDITION'
  | 'UNAVAILABLE'
  | 'UNIMPLEMENTED'
  | 'DEADLINE_EXCEEDED'
  | 'INTERNAL'

/**
 * An error whose message is for the owner of the Cluster: the operator writes it to `status.phaseReason`. Say what is
 * wrong and what to change, and never a secret. The message of any other error stays in the log of the plugin.
 *
 * @example
 * ```ts
 * const plugin = createCnpgPlugin({ name: 'keys.example.org', version: '0.1.0' })
 * plugin.pods({
 *   instance(ctx) {
 *     if (!ctx.cluster.spec.imageName) throw new HookError('spec.imageName must name an image with pg_tde')
 *   },
 * })
 * ```
 */
export class HookError extends Error {
  override readonly name = 'HookError'
  readonly code: HookErrorCode

  constructor(message: string, { code = 'FAILED_PRECONDITION', ...options }: HookErrorOptions = {}) {
    super(message, options)
    this.code = code
  }

  /** The number of the code on the wire. */
  get grpcStatus(): number {
    return GrpcStatus[this.code]
  }
}

/** Options of {@link HookError}. */
export interface HookErrorOptions extends ErrorOptions {
  /** Default `FAILED_PRECONDITION`. */
  code?: HookErrorCode
}
