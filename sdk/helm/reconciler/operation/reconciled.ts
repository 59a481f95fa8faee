import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import type { OperationProgress } from '../goal/deployment.js'

/**
 * The time after which something that a release waits for is looked at again, in milliseconds. Usually a watch tells
 * earlier; it may be forbidden or switched off.
 */
export const recheckMs = 5_000

/** The result of a run of a release's key. */
export interface ReleaseRunEnd extends Pick<OperationProgress, 'objects' | 'hook' | 'missing'> {
  readonly result?: ReconcileResult | undefined
  /** Whether the release waits for a status of its objects or of its hook; default false. */
  readonly isWaiting?: boolean
}
