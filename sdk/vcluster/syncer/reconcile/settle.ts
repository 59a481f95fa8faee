import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { PluginError } from '../../../engine/kube/error.js'
import type { Key } from '../../../engine/kube/key.js'
import type { SyncResult } from '../sync-result.js'

/** The call of a syncer that returned the result. */
export interface SyncerCall {
  /** The syncer's name. */
  syncer: string
  method: string
  key: Key
}

/**
 * Checks the result of a syncer's method; `void`, `null` and `undefined` all mean that the key does not run again by
 * itself. Throws `PluginError` `INVALID_RESULT` for any value other than a result with a delay of at least 0; otherwise
 * a mistake of the author would have no visible effect.
 */
export async function checkResult(
  call: SyncerCall,
  result: SyncResult,
): Promise<ReconcileResult | undefined> {
  const outcome: unknown = (await result) ?? undefined
  if (outcome === undefined || isOutcome(outcome)) return outcome
  const { syncer, method } = call
  // Without the key, which the log has anyway: equal messages are logged once.
  throw new PluginError(
    'INVALID_RESULT',
    `${method} of syncer ${syncer} returned ${describeValue(outcome)}; return { requeueAfterMs: 5000 } to run ` +
      'again after so many milliseconds (0 or more), or nothing to run again when something changes',
  )
}

function isOutcome(value: unknown): value is ReconcileResult {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (!('requeueAfterMs' in value)) return Object.keys(value).length === 0
  const { requeueAfterMs } = value
  return requeueAfterMs === undefined || (Number.isFinite(requeueAfterMs) && Number(requeueAfterMs) >= 0)
}

/** The type of a value and the names of its members; never the value, which may be a Secret's. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`
  if (!('requeueAfterMs' in value)) return `an object with ${Object.keys(value).slice(0, 5).join(', ')}`
  const { requeueAfterMs } = value
  const isShown = typeof requeueAfterMs === 'number' || requeueAfterMs === null
  const shownDelay = isShown ? String(requeueAfterMs) : `a ${typeof requeueAfterMs}`
  return `an object whose requeueAfterMs is ${shownDelay}`
}
