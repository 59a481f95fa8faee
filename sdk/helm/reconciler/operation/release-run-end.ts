import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import type { OperationProgress } from '../goal/due-operation.js'

/**
 * The time after which a waiting release is checked again, in milliseconds. Usually a watch triggers the key earlier,
 * but the watch may be forbidden or switched off.
 */
export const recheckMs = 5_000

/** The result of a run of a release's key. */
export interface ReleaseRunEnd extends Pick<OperationProgress, 'objects' | 'hook' | 'missing'> {
  readonly result?: ReconcileResult | undefined
  /** Whether the release waits for a status of its objects or of its hook; default false. */
  readonly isWaiting?: boolean
}
