import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { RetryLaterError } from '../../engine/kube/retry-later-error.js'

/**
 * A delete was answered by "not found", but the watch has not reported that the object is gone. Most often its event is
 * on the way. If a proxy answered in place of the API server, the object exists, and no event will come.
 */
export class StillStoredError extends RetryLaterError {
  override readonly name = 'StillStoredError'
  /** The time until the key runs again, in milliseconds. */
  readonly retryInMs = 2000

  constructor(object: KubeObject) {
    super(`${formatKey(keyOf(object))} was not found, but no event says that it is gone; looking again`)
  }
}

/** Throws {@link StillStoredError} if the cache still has an object that the API server does not find. */
export function confirmGone(object: KubeObject, stored: KubeObject | undefined): void {
  if (stored !== undefined && stored.metadata.uid === object.metadata.uid) throw new StillStoredError(object)
}
