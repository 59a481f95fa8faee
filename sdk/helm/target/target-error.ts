/** Why the location of a release cannot be used; the reason of the condition `Irreconcilable`. */
export type TargetReason = 'InvalidTarget' | 'NotAllowed' | 'TargetChanged'

/** The location that an object asks for cannot be that of its release. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
  readonly reason: TargetReason

  constructor(reason: TargetReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
