import { RetryLaterError } from '../../engine/kube/retry-later-error.js'

/**
 * The Service of the vcluster, which owns its copies, was there and is gone. Thrown where a new copy asks for its
 * owner; no object is at fault, and every key is enqueued when the Service is back.
 */
export class OwnerGoneError extends RetryLaterError {
  override readonly name = 'OwnerGoneError'
  /** How long until a key looks again by itself, in milliseconds. */
  readonly retryInMs = 60_000

  constructor() {
    super('the Service of the vcluster, which owns the copies, is gone; waiting until it is back')
  }
}
