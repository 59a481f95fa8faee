import { PermanentError } from '../../kube/error.js'

/** Why a release cannot be reconciled until something changes; the reason of the condition `Irreconcilable`. */
export type IrreconcilableReason =
  | 'InvalidValues'
  | 'NotAllowed'
  | 'NotOurs'
  | 'OperationInProgress'
  | 'ReleaseNameTaken'
  | 'ReleaseTooLarge'
  | 'RenderError'

/** A release that cannot be reconciled until the object, the chart or the cluster changes. */
export class IrreconcilableError extends PermanentError {
  override readonly name = 'IrreconcilableError'
  readonly reason: IrreconcilableReason

  constructor(reason: IrreconcilableReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** A step of an operation that failed: the revision is marked as failed, and the step is tried again. */
export class OperationError extends Error {
  override readonly name = 'OperationError'
}
