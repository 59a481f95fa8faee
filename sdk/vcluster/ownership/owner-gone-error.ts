import { RetryLaterError } from '../../engine/kube/retry-later-error.js'

/**
 * The Service of the vcluster, which owns the copies, existed before and is gone. Thrown when a new copy needs its
 * owner. No object is at fault, and every key is enqueued when the Service is back.
 */
export class OwnerGoneError extends RetryLaterError {
  override readonly name = 'OwnerGoneError'
  /** The time until the key runs again by itself, in milliseconds. */
  readonly retryInMs = 60_000

  constructor() {
    super('the Service of the vcluster, which owns the copies, is gone; waiting until it is back')
  }
}
