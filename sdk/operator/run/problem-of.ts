import { isObjectError } from '../../engine/controller/is-object-error.js'
import { NameConflictError } from '../../engine/controller/name-conflict-error.js'
import { failuresBefore } from '../../engine/controller/quarantine.js'
import { isConflict, PermanentError } from '../../engine/kube/error.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { IntentError } from '../apply/intent-error.js'
import { WaitError } from '../apply/wait-error.js'
import type { FailedRuns } from '../controller/failed-runs.js'
import { CreationUncertainError } from '../effect/uncertain-error.js'
import type { ProblemCondition } from '../kind/define/kind.js'
import { type Problem, statusOf } from '../status/status-draft.js'
import { rejectionOf } from './rejection-of.js'

/** A run that has failed. */
export interface FailedReconcile {
  /** The condition of its failures: `Finalized` for the end of an object. */
  readonly about: ProblemCondition
  readonly object: KubeObject
  /** Counts the runs of the controller that have failed. */
  readonly runs: FailedRuns
}

/** How a failed run is reported. */
export interface ReportedProblem {
  /** The condition; undefined if there is none. */
  readonly noted?: Problem | undefined
  /** The Event of a rejection. Other errors get theirs when the key is given up or is in quarantine. */
  readonly event?: string
}

/** A condition reports failed runs from this number in a row on, if the generation was observed already. */
const quietFailures = 3

/**
 * The condition for the error of a run, if it gets one. An error may name a request, so its text would change the
 * status with each attempt; the log and the Events have it.
 */
export function problemOf(error: unknown, run: FailedReconcile): ReportedProblem {
  if (error instanceof CreationUncertainError) return stalledProblem('CreationUncertain', error)
  if (error instanceof NameConflictError) return stalledProblem('NameConflict', error)
  if (error instanceof IntentError) return stalledProblem('Rejected', error)
  if (error instanceof PermanentError) return stalledProblem('PermanentError', error)
  if (error instanceof WaitError) return waitingProblem(error, run)
  const rejection = rejectionOf(error)
  const event = rejection && { event: rejection.event }
  if (run.about === 'Finalized') return { noted: finalizeFailed, ...event }
  if (rejection) return { ...stalledProblem('Rejected', rejection), ...event }
  return retriedProblem(error, run)
}

const finalizeFailed: Problem = {
  type: 'Finalized',
  reason: 'FinalizeFailed',
  message: 'finalize failed and is tried again; see the Events of the object',
}

/**
 * The condition of a run that waits; the next run that does not wait removes it. Without the condition, `kstatus` would
 * report a new object without a status as done.
 */
function waitingProblem(error: WaitError, { about, object }: FailedReconcile): ReportedProblem {
  if (about === 'Finalized' || isObserved(object)) return {}
  return { noted: { type: 'Reconciling', reason: 'Waiting', message: error.message } }
}

const isObserved = (object: KubeObject) => statusOf(object).observedGeneration === object.metadata.generation

function retriedProblem(error: unknown, { object, runs }: FailedReconcile): ReportedProblem {
  // A conflict only means that the cache was not up to date.
  if (isConflict(error)) return {}
  const failures = runs.add(keyOf(object))
  const isNewGeneration = !isObserved(object)
  if (failures >= failuresBefore && isObjectError(error))
    return stalledProblem('Quarantined', {
      message: 'reconcile fails each time; see the Events of the object',
    })
  if (failures < quietFailures && !isNewGeneration) return {}
  const message = 'reconcile failed and is tried again; see the log of the operator'
  return { noted: { type: 'Reconciling', reason: 'ReconcileFailed', message } }
}

const stalledProblem = (reason: string, { message }: { message: string }): ReportedProblem => ({
  noted: { type: 'Stalled', reason, message },
})
