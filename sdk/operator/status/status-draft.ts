import pick from 'lodash/pick.js'
import { PermanentError } from '../../kube/error.js'
import { cloneJson } from '../../kube/json.js'
import type { KubeObject } from '../../kube/object.js'
import type { ProblemCondition } from '../kind/define/kind.js'
import { type Condition, type ConditionStatus, type ConditionUpdate, reasonProblem } from './conditions.js'

/** A status as the API server keeps it. */
export type StatusFields = { [field: string]: unknown; conditions?: readonly Condition[] }

/** The status of an object; empty if it has none. */
export function statusOf(object: KubeObject): StatusFields {
  return (object as { status?: StatusFields }).status ?? {}
}

/** All types of {@link ProblemCondition}. */
export const problemTypes: readonly ProblemCondition[] = ['Valid', 'Stalled', 'Finalized']

const problemStatus: Record<ProblemCondition, ConditionStatus> = {
  Valid: 'False',
  Stalled: 'True',
  Finalized: 'False',
}

/** The fields of a status that a controller writes: all, or those with the given names. */
export function ownFields(
  { conditions: _, effects: __, ...fields }: StatusFields,
  names: readonly string[] | undefined,
): Record<string, unknown> {
  return names === undefined ? fields : pick(fields, names)
}

/** The part of the status that a controller writes where others write some, too. */
export interface SharedPart {
  /** The name of the controller. */
  readonly controller: string
  /** The fields that it writes. */
  readonly names: readonly string[]
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
  /** The fields that the controller writes; undefined for all. */
  readonly names: readonly string[] | undefined
  /** The beginning of the messages about problems, by which controllers that share a kind know whose a problem is. */
  readonly #prefix: string
  readonly #conditions = new Map<string, ConditionUpdate>()

  constructor(object: KubeObject, declared: readonly string[], shared?: SharedPart) {
    this.fields = cloneJson(ownFields(statusOf(object), shared?.names))
    this.declared = declared
    this.names = shared?.names
    this.#prefix = shared ? `${shared.controller}: ` : ''
  }

  /**
   * The fields to write.
   *
   * @throws `PermanentError` if the run assigned to a field of another controller
   */
  get written(): Record<string, unknown> {
    const { names } = this
    const others = names ? Object.keys(this.fields).filter((name) => !names.includes(name)) : []
    if (others.length === 0) return this.fields
    throw new PermanentError(
      `the controller shares its kind and writes status.${others.join(', status.')}: add the field to its statusFields`,
    )
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

  /** Reports a problem as a condition. The next run without the problem removes the condition. */
  setProblem(type: ProblemCondition, reason: string, message: string): void {
    this.#conditions.set(type, { status: problemStatus[type], reason, message: `${this.#prefix}${message}` })
  }

  /**
   * The problems to write. One that another controller of the kind has reported stays as it is: with different messages, each
   * write would be followed by one of the other controller, without end. It is written once the other one has solved its own.
   */
  problemsBeside(live: readonly Condition[] = []): ProblemCondition[] {
    const isOfOther = (type: ProblemCondition) =>
      live.some((one) => one.type === type && isProblem(one) && !one.message.startsWith(this.#prefix))
    return problemTypes.filter((type) => this.#conditions.has(type) && !isOfOther(type))
  }
}

const isProblem = ({ type, status }: Condition) => problemStatus[type as ProblemCondition] === status

function statusText(status: boolean | ConditionStatus): ConditionStatus {
  if (typeof status !== 'boolean') return status
  return status ? 'True' : 'False'
}
