import type { ReconcileResult } from '../../engine/controller/reconcile-result.js'

/** The answer of a syncer's methods. */
export type SyncResult = Promise<ReconcileResult | undefined> | Promise<void>
