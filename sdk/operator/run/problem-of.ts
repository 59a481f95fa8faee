import { NameConflictError } from '../../controller/name-conflict-error.js'
import { PermanentError } from '../../kube/error.js'
import { WaitError } from '../apply/wait-error.js'
import { CreationUncertainError } from '../effect/uncertain-error.js'
import type { ProblemCondition } from '../kind/define/kind.js'

/** A problem as a condition of the object. */
export interface Problem {
  readonly type: ProblemCondition
  readonly reason: string
  readonly message: string
}

/**
 * The condition for the error of a run, which was about `type`; undefined if the error gets none. An error may name a request,
 * so its text would change the status with each attempt; the Events have it.
 */
export function problemOf(error: unknown, type: ProblemCondition): Problem | undefined {
  if (error instanceof CreationUncertainError) return stalled('CreationUncertain', error)
  if (error instanceof NameConflictError) return stalled('NameConflict', error)
  if (error instanceof PermanentError) return stalled('PermanentError', error)
  if (type !== 'Finalized' || error instanceof WaitError) return undefined
  const message = 'finalize failed and is tried again; see the Events of the object'
  return { type, reason: 'FinalizeFailed', message }
}

const stalled = (reason: string, { message }: Error): Problem => ({ type: 'Stalled', reason, message })
