import { PermanentError } from '../../../engine/kube/error.js'
import type { Key } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { TargetReason } from '../../target/target-error.js'
import type { ReleaseOperation } from './operation-kind.js'

/** Why a release cannot be reconciled until something changes; the reason of the condition `Irreconcilable`. */
export type IrreconcilableReason =
  | 'InvalidValues'
  | 'NotAllowed'
  | 'NotOurs'
  | 'UnknownRevision'
  | 'OperationInProgress'
  | 'ReleaseNameTaken'
  | 'ReleaseTooLarge'
  | 'RenderError'
  | TargetReason

/** Options of {@link IrreconcilableError}. */
export interface IrreconcilableErrorOptions extends ErrorOptions {
  /** The objects that are in the way. */
  readonly foreign?: ForeignObjects
}

/** Objects that belong to others. */
export interface ForeignObjects {
  readonly objects: readonly { readonly resource: Resource; readonly key: Key }[]
  /** The name of the release that they are in the way of. */
  readonly release: string
  /** Whether the release may have an object as it is now, by its metadata; default never. */
  readonly isOurs?: (object: KubeObject) => boolean
}

/** A release that cannot be reconciled until the object, the chart or the cluster changes. */
export class IrreconcilableError extends PermanentError {
  override readonly name = 'IrreconcilableError'
  override readonly eventReason: string
  readonly reason: IrreconcilableReason
  readonly #foreign: ForeignObjects | undefined

  constructor(
    reason: IrreconcilableReason,
    message: string,
    { foreign, ...options }: IrreconcilableErrorOptions = {},
  ) {
    super(message, options)
    this.reason = reason
    this.eventReason = reason
    this.#foreign = foreign
  }

  /** The objects that are in the way. Logs of the error do not show them. */
  get foreign(): ForeignObjects | undefined {
    return this.#foreign
  }
}

/** A function of the program that makes values has failed; it is called again with backoff. */
export class ValuesError extends Error {
  override readonly name = 'ValuesError'
}

/** Options of {@link OperationError}. */
export interface OperationErrorOptions extends ErrorOptions {
  /** The reason of the condition `ReleaseFailed`; default that of the operation. */
  readonly reason?: OperationReason | undefined
  readonly kind?: ReleaseOperation
  /** The kind that the cluster has to serve first. */
  readonly unserved?: UnservedKind
  /** Whether only another chart, other values or another definition help; default false. */
  readonly isPermanent?: boolean
}

/** Why a step failed. */
type OperationReason = 'WaitTimeout' | 'HookError'

/** A kind that the cluster does not serve. */
export interface UnservedKind {
  readonly apiVersion: string
  readonly kind: string
}

/** A step of an operation that failed: the revision is marked as failed, and the step is tried again. */
export class OperationError extends Error {
  override readonly name = 'OperationError'
  readonly reason: OperationReason | undefined
  /** The operation, if it had begun. */
  readonly kind: ReleaseOperation | undefined
  readonly isPermanent: boolean
  readonly #unserved: UnservedKind | undefined

  constructor(message: string, options: OperationErrorOptions = {}) {
    const { reason, kind, unserved, isPermanent = false, ...rest } = options
    super(message, rest)
    this.isPermanent = isPermanent
    this.reason = reason
    this.kind = kind
    this.#unserved = unserved
  }

  /**
   * The kind that the cluster has to serve first. A chart may have made it of a Secret, so logs of the error do not
   * show it.
   */
  get unserved(): UnservedKind | undefined {
    return this.#unserved
  }
}

/** An operation with an object that no API server accepts. It is retried rarely, because backoff cannot help. */
export class RefusedObjectError extends PermanentError {
  override readonly name = 'RefusedObjectError'
  override readonly eventReason: string

  constructor(message: string, { eventReason, cause }: { eventReason: string; cause: OperationError }) {
    super(message, { cause })
    this.eventReason = eventReason
  }
}
