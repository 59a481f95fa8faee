import pick from 'lodash/pick.js'
import { PermanentError } from '../../engine/kube/error.js'
import { cloneJson } from '../../engine/kube/json.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { IntentError, nonJsonProblem } from '../apply/intent-error.js'
import type { ProblemCondition } from '../kind/define/kind.js'
import { unconvertedField } from '../kind/define/unconverted-field.js'
import { type Condition, type ConditionStatus, type ConditionUpdate, reasonProblem } from './conditions.js'

/** A status as the API server keeps it. */
export type StatusFields = { [field: string]: unknown; conditions?: readonly Condition[] }

/** The status of an object; empty if it has none. */
export function statusOf(object: KubeObject): StatusFields {
  return (object as { status?: StatusFields }).status ?? {}
}

/** All types of {@link ProblemCondition}. */
export const problemTypes: readonly ProblemCondition[] = ['Valid', 'Stalled', 'Reconciling', 'Finalized']

const problemStatus: Record<ProblemCondition, ConditionStatus> = {
  Valid: 'False',
  Stalled: 'True',
  Reconciling: 'True',
  Finalized: 'False',
}

/** A problem as a condition of the object. */
export interface Problem {
  readonly type: ProblemCondition
  readonly reason: string
  readonly message: string
}

/**
 * The fields of a status that a controller writes: all, or those with the given names. Fields that the version lacks
 * are those of clients of another version.
 */
export function ownFields(
  { conditions: _, effects: __, [unconvertedField]: ___, ...fields }: StatusFields,
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

/** Options of {@link StatusDraft}. */
export interface StatusDraftOptions {
  /** The condition types that the controller writes. */
  declared: readonly string[]
  /** The values of fields that the live status lacks; default none. */
  initial?: object
  /** The part of the status that it writes; default all of it. */
  shared?: SharedPart | undefined
}

/**
 * The status that a run fills in. It begins as a copy of the live status, so that a run that returns early keeps it; it
 * is written once, at the end of the run.
 */
export class StatusDraft {
  /** The fields other than the conditions and the journal of effects; a run assigns to them. */
  readonly fields: Record<string, unknown>
  /** The condition types that the controller writes. */
  readonly declared: readonly string[]
  /** The fields that the controller writes; undefined for all. */
  readonly names: readonly string[] | undefined
  /** The prefix of problem messages, by which controllers that share a kind recognise their own problems. */
  readonly #prefix: string
  readonly #conditions = new Map<string, ConditionUpdate>()
  #isUnfinished = false
  /** The fields of the live status, and initial values of required fields that it lacks. */
  readonly #before: Record<string, unknown>
  #isDropped = false

  constructor(object: KubeObject, { declared, initial = {}, shared }: StatusDraftOptions) {
    this.#before = { ...initial, ...ownFields(statusOf(object), shared?.names) }
    this.fields = cloneJson(this.#before)
    this.declared = declared
    this.names = shared?.names
    this.#prefix = shared ? `${shared.controller}: ` : ''
  }

  /**
   * The fields to write.
   *
   * @throws `IntentError` if the run assigned to a field of another controller, or a value that is not JSON
   */
  get fieldsToWrite(): Record<string, unknown> {
    if (this.#isDropped) return this.#before
    const { names } = this
    const problem = nonJsonProblem(this.fields, 'status')
    if (problem !== undefined) throw new IntentError(problem)
    const others = names ? Object.keys(this.fields).filter((name) => !names.includes(name)) : []
    if (others.length === 0) return this.fields
    throw new IntentError(
      `the controller shares its kind and writes status.${others.join(', status.')}: add the field to its statusFields`,
    )
  }

  /** Discards the fields of the run, because an API server has refused them; the live values stay. */
  dropFields(): void {
    this.#isDropped = true
  }

  /** Whether the run is tried again, so that the generation of the object does not count as observed. */
  get isUnfinished(): boolean {
    return this.#isUnfinished
  }

  /** Marks the run as one that is tried again; see {@link isUnfinished}. */
  setUnfinished(): void {
    this.#isUnfinished = true
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
  setProblem({ type, reason, message }: Problem): void {
    this.#conditions.set(type, { status: problemStatus[type], reason, message: `${this.#prefix}${message}` })
  }

  /** Takes back a problem. */
  clearProblem(type: ProblemCondition): void {
    this.#conditions.delete(type)
  }

  /**
   * The problems to write, besides the live conditions. A problem type that another controller of the kind has reported
   * is left out: otherwise the two controllers would overwrite each other's message without end. It is written once the
   * other controller has removed its problem.
   */
  problemsBeside(live: readonly Condition[] = []): ProblemCondition[] {
    const isOfOther = (type: ProblemCondition) =>
      live.some((one) => one.type === type && isProblem(one) && !one.message.startsWith(this.#prefix))
    const isReported = (type: ProblemCondition) => this.#conditions.has(type) && !this.declared.includes(type)
    return problemTypes.filter((type) => isReported(type) && !isOfOther(type))
  }
}

const isProblem = ({ type, status }: Condition) => problemStatus[type as ProblemCondition] === status

function statusText(status: boolean | ConditionStatus): ConditionStatus {
  if (typeof status !== 'boolean') return status
  return status ? 'True' : 'False'
}
