import type { KindCondition } from '../kind/define/condition.js'

/** A condition as Kubernetes writes it, `metav1.Condition`. */
export type Condition = KindCondition

/** The status of a condition. */
export type ConditionStatus = Condition['status']

/** A condition as a run reports it. */
export interface ConditionUpdate {
  readonly status: ConditionStatus
  readonly reason: string
  readonly message: string
}

/** The largest message of a condition that the API server accepts, in characters. */
const maxMessageLength = 32_768

const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/

/** Options of {@link mergeConditions}. */
export interface MergeConditionsOptions {
  /** The condition types that this controller writes. */
  types: Iterable<string>
  generation: number | undefined
  now: Date
}

/**
 * The conditions that a controller writes: those that the run set, those of the object for types that the run did not
 * set, and `Unknown` for types that the object does not have. The time of the last transition changes only with the
 * status.
 */
export function mergeConditions(
  before: readonly Condition[],
  updates: ReadonlyMap<string, ConditionUpdate>,
  { types, generation, now }: MergeConditionsOptions,
): Condition[] {
  const old = new Map(before.map((condition) => [condition.type, condition]))
  return [...types].map((type) => {
    const update = updates.get(type)
    const oldCondition = old.get(type)
    if (!update && oldCondition) return oldCondition
    return mergeCondition(type, update ?? notYet, { current: oldCondition, generation, now })
  })
}

const notYet: ConditionUpdate = { status: 'Unknown', reason: 'NotYetReconciled', message: '' }

function mergeCondition(
  type: string,
  { status, reason, message }: ConditionUpdate,
  { current, generation, now }: { current: Condition | undefined; generation: number | undefined; now: Date },
): Condition {
  return {
    type,
    status,
    reason,
    message: message.slice(0, maxMessageLength),
    ...(generation !== undefined && { observedGeneration: generation }),
    lastTransitionTime: current?.status === status ? current.lastTransitionTime : formatSeconds(now),
  }
}

/** Formats a time as `metav1.Time`, which has no fraction of a second. */
function formatSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Why a text cannot be the reason of a condition; undefined if it can. */
export function reasonProblem(reason: string): string | undefined {
  if (reason.length <= 1024 && reasonPattern.test(reason)) return undefined
  return `the reason of a condition is one word in CamelCase of at most 1024 characters, got ${JSON.stringify(reason.slice(0, 80))}`
}
