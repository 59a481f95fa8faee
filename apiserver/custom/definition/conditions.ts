import { fieldAt, type OpenObject, recordOf, textAt } from '../../base/object.js'

/** One of `status.conditions`, without its time. */
export interface Condition {
  readonly type: 'Established' | 'NamesAccepted' | 'Terminating' | 'KubernetesAPIApprovalPolicyConformant'
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

function conditionsOf(definition: OpenObject): readonly Record<string, unknown>[] {
  const conditions = fieldAt(definition, 'status', 'conditions')
  return Array.isArray(conditions) ? conditions.map(recordOf) : []
}

/** Whether a condition has a status. */
export function conditionIs(
  definition: OpenObject,
  type: Condition['type'],
  status: 'True' | 'False',
): boolean {
  return conditionsOf(definition).some((each) => each.type === type && each.status === status)
}

/** Whether the definition has this condition, apart from the time. */
export function hasCondition(definition: OpenObject, condition: Condition): boolean {
  return conditionsOf(definition).some(
    (each) =>
      each.type === condition.type &&
      each.status === condition.status &&
      each.reason === condition.reason &&
      each.message === condition.message,
  )
}

/** A copy with a condition set; its time is that of the last change of its status. */
export function withCondition(definition: OpenObject, condition: Condition, time: string): OpenObject {
  const conditions = conditionsOf(definition)
  const before = conditions.find(({ type }) => type === condition.type)
  const unchanged = before?.status === condition.status ? textAt(before, 'lastTransitionTime') : ''
  const { type, status, ...rest } = condition
  const next = { type, status, lastTransitionTime: unchanged || time, ...rest }
  const all =
    before === undefined ? [...conditions, next] : conditions.map((each) => (each === before ? next : each))
  const metadata = { ...definition.metadata }
  return { ...definition, metadata, status: { ...recordOf(definition.status), conditions: all } }
}
