import { CallContext } from './call-context.js'
import type { ReconcileContext, ReconcileStop } from './contexts.js'

/** The context of hooks before and after a reconciliation. */
export class ReconcileCallContext<P = Record<string, string>>
  extends CallContext<P>
  implements ReconcileContext<P>
{
  /**
   * Return the result to end this reconciliation and repeat it later. The Cluster does not show the reason, so it is
   * logged.
   *
   * @throws `RangeError` unless the seconds are a positive whole number
   */
  requeue(afterSeconds: number, reason: string): ReconcileStop {
    if (!Number.isSafeInteger(afterSeconds) || afterSeconds <= 0)
      throw new RangeError(`requeue after a positive whole number of seconds, got ${afterSeconds}`)
    return { behavior: 'requeue', reason, afterSeconds }
  }

  /** Return the result to end the reconciliation until something changes. The reason is logged. */
  stop(reason: string): ReconcileStop {
    return { behavior: 'stop', reason, afterSeconds: 0 }
  }
}
