import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { formatTime } from '../base/clock.js'
import { type OpenObject, recordOf } from '../base/object.js'

const type = 'DisruptionTarget'

/**
 * A pod with the condition that it is being evicted; the pod itself if it already has that condition.
 * `addConditionAndDeletePod` of Kubernetes v1.36.3.
 */
export function withEvictionCondition(pod: OpenObject, now: Date): OpenObject {
  const status = recordOf(pod.status)
  const conditions = Array.isArray(status.conditions) ? status.conditions.map(recordOf) : []
  const before = conditions.find((each) => each.type === type)
  const next = conditionAfter(before, formatTime(now))
  if (before === undefined) return { ...pod, status: { ...status, conditions: [...conditions, next] } }
  if (jsonEqual(next, before)) return pod
  const changed = conditions.map((each) => (each === before ? next : each))
  return { ...pod, status: { ...status, conditions: changed } }
}

/** The condition keeps the transition time of one that was true before. */
function conditionAfter(before: Record<string, unknown> | undefined, now: string): Record<string, unknown> {
  return {
    type,
    ...(before?.observedGeneration !== undefined && { observedGeneration: before.observedGeneration }),
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: before?.status === 'True' ? before.lastTransitionTime : now,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  }
}
