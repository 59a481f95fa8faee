import { PermanentError } from '../../kube/error.js'
import { cloneJson } from '../../kube/json.js'
import type { KubeObject } from '../../kube/object.js'
import { type Condition, type ConditionStatus, type ConditionUpdate, reasonProblem } from './conditions.js'

/** A status as the API server keeps it. */
export type StatusFields = { [field: string]: unknown; conditions?: readonly Condition[] }

/** The status of an object; empty if it has none. */
export function statusOf(object: KubeObject): StatusFields {
  return (object as { status?: StatusFields }).status ?? {}
}

/**
 * The conditions that the SDK itself writes to kinds of the program's own, each only while something is wrong: the object
 * does not fit its schema, a run cannot go on without a person, or `finalize` fails.
 */
export type ProblemType = 'Valid' | 'Stalled' | 'Finalized'

/** See {@link ProblemType}. */
export const problemTypes: readonly ProblemType[] = ['Valid', 'Stalled', 'Finalized']

const problemStatus: Record<ProblemType, ConditionStatus> = {
  Valid: 'False',
  Stalled: 'True',
  Finalized: 'False',
}

/**
 * The status that a run fills in. It begins as a copy of the live status, so that a run that returns early keeps it; it is
 * written once, at the end of the run.
 */
export class StatusDraft {
  /** The fields other than the conditions and the journal of effects; a run assigns to them. */
  readonly fields: Record<string, unknown>
  /** The condition types that the controller writes. */
  readonly declared: readonly string[]
  readonly #conditions = new Map<string, ConditionUpdate>()

  constructor(object: KubeObject, declared: readonly string[]) {
    const { conditions: _, effects: __, ...fields } = statusOf(object)
    this.fields = cloneJson(fields)
    this.declared = declared
  }

  /** The conditions that the run has reported, by type. */
  get conditions(): ReadonlyMap<string, ConditionUpdate> {
    return this.#conditions
  }

  /**
   * Sets a condition.
   *
   * @throws `PermanentError` if the type is not declared or the reason is not a CamelCase word
   */
  set(type: string, status: boolean | ConditionStatus, reason: string, message = ''): void {
    if (!this.declared.includes(type)) {
      const declared = this.declared.join(', ') || 'none'
      throw new PermanentError(
        `condition ${type} is not declared: add it to the kind's conditions (declared: ${declared})`,
      )
    }
    const problem = reasonProblem(reason)
    if (problem) throw new PermanentError(`condition ${type}: ${problem}`)
    this.#conditions.set(type, { status: statusText(status), reason, message })
  }

  /** Says that something is wrong. The condition goes with the next run that does not say so. */
  setProblem(type: ProblemType, reason: string, message: string): void {
    this.#conditions.set(type, { status: problemStatus[type], reason, message })
  }
}

function statusText(status: boolean | ConditionStatus): ConditionStatus {
  if (typeof status !== 'boolean') return status
  return status ? 'True' : 'False'
}
