import type { Deployment } from '../../sdk/engine/kube/builtin.js'
import type { V1DeploymentCondition } from '../../sdk/engine/kube/gen/kubernetes.js'

type Conditions = readonly V1DeploymentCondition[]

/**
 * The conditions of a Deployment whose rollout is complete, as the Deployment controller writes them. They begin at its
 * creation. The same array as in the Deployment if nothing changes.
 */
export function readyDeploymentConditions(deployment: Deployment): Conditions {
  const { metadata, status } = deployment
  const current: Conditions = status?.conditions ?? []
  const time = metadata.creationTimestamp
  const times = { lastUpdateTime: time, lastTransitionTime: time } as Partial<V1DeploymentCondition>
  const written: Conditions = [available, ...progressOf(deployment)]
  const kept = current.filter((condition) => !isRemoved(condition, written))
  const conditions = written.reduce<Conditions>(
    (all, condition) => withCondition(all, { ...times, ...condition }),
    kept,
  )
  const isSame =
    conditions.length === current.length && conditions.every((condition, i) => condition === current[i])
  return isSame ? current : conditions
}

const available: V1DeploymentCondition = {
  type: 'Available',
  status: 'True',
  reason: 'MinimumReplicasAvailable',
  message: 'Deployment has minimum availability.',
}

/** The value of `progressDeadlineSeconds` for no deadline. */
const noDeadline = 2 ** 31 - 1

/** A Deployment without a deadline has no condition about its progress. */
function progressOf({ metadata, spec }: Deployment): Conditions {
  if (spec?.progressDeadlineSeconds === noDeadline) return []
  if (spec?.paused === true)
    return [
      { type: 'Progressing', status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' },
    ]
  const message = `Deployment "${metadata.name}" has successfully progressed.`
  return [{ type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', message }]
}

/** A complete rollout has no failed replicas. */
const isRemoved = ({ type }: V1DeploymentCondition, written: Conditions): boolean =>
  type === 'ReplicaFailure' ||
  (type === 'Progressing' && written.every((condition) => condition.type !== type))

/** A condition of the same status and reason stays; the time of a transition is that of the status. */
function withCondition(conditions: Conditions, condition: V1DeploymentCondition): Conditions {
  const current = conditions.find(({ type }) => type === condition.type)
  const isSameStatus = current?.status === condition.status
  if (isSameStatus && current?.reason === condition.reason) return conditions
  const others = conditions.filter(({ type }) => type !== condition.type)
  const { lastTransitionTime } = current ?? {}
  return [...others, { ...condition, ...(isSameStatus && lastTransitionTime && { lastTransitionTime }) }]
}
