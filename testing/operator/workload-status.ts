import { parseQuantity } from '../../apiserver/schema/quantity.js'
import type { Deployment, PersistentVolumeClaim, Service } from '../../sdk/engine/kube/builtin.js'
import type { DaemonSet, Job, StatefulSet } from '../../sdk/engine/kube/builtin-workloads.js'
import { readyDeploymentConditions } from './deployment-conditions.js'

/** Fields of a status, as the controller of a kind writes them; `null` removes a field. */
export type WorkloadStatus = Readonly<Record<string, unknown>>

/** The status of a ready Deployment. A Deployment controller leaves out counts that are 0. */
export function readyDeployment(deployment: Deployment): WorkloadStatus {
  const { metadata, spec } = deployment
  const count = positiveOrNull(spec?.replicas ?? 1)
  return {
    observedGeneration: metadata.generation ?? null,
    replicas: count,
    updatedReplicas: count,
    readyReplicas: count,
    availableReplicas: count,
    conditions: readyDeploymentConditions(deployment),
  }
}

/** The status of a ready StatefulSet. Its controller writes `replicas` and `availableReplicas` even if they are 0. */
export function readyStatefulSet({ metadata, spec }: StatefulSet): WorkloadStatus {
  const replicas = spec?.replicas ?? 1
  const count = positiveOrNull(replicas)
  return {
    observedGeneration: metadata.generation ?? null,
    replicas,
    availableReplicas: replicas,
    readyReplicas: count,
    currentReplicas: count,
    updatedReplicas: count,
  }
}

/** The status of a ready DaemonSet in a cluster of one node. */
export function readyDaemonSet({ metadata }: DaemonSet): WorkloadStatus {
  return {
    observedGeneration: metadata.generation ?? null,
    currentNumberScheduled: 1,
    desiredNumberScheduled: 1,
    updatedNumberScheduled: 1,
    numberReady: 1,
    numberAvailable: 1,
    numberMisscheduled: 0,
  }
}

/** The status of a Job that succeeded at its creation; `undefined` if the Job is suspended or has ended. */
export function completeJob({ metadata, spec, status }: Job): WorkloadStatus | undefined {
  const hasEnded = (status?.conditions ?? []).some(({ type }) => type === 'Complete' || type === 'Failed')
  if (spec?.suspend === true || hasEnded) return undefined
  const time = metadata.creationTimestamp
  const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({
    type,
    status: 'True',
    reason: 'CompletionsReached',
    lastProbeTime: time,
    lastTransitionTime: time,
  }))
  const succeeded = spec?.completions ?? 1
  return { startTime: time, completionTime: time, succeeded: positiveOrNull(succeeded), conditions }
}

/**
 * The status of a claim bound to a volume of the requested size; `undefined` if the claim is bound to one already. The
 * volume grows with the request, which the API server admits only if the class of the claim allows it.
 */
export function boundClaim({ spec, status }: PersistentVolumeClaim): WorkloadStatus | undefined {
  const requests = spec?.resources?.requests ?? {}
  if (status?.phase !== 'Bound')
    return { phase: 'Bound', accessModes: spec?.accessModes ?? [], capacity: requests }
  const { storage = '0' } = requests
  const { storage: present = '0' } = status.capacity ?? {}
  if (parseQuantity(String(storage)).nano <= parseQuantity(String(present)).nano) return undefined
  return { capacity: { ...status.capacity, storage } }
}

/** An address for documents: nothing listens there. https://www.rfc-editor.org/rfc/rfc5737 */
const balancerAddress = '192.0.2.1'

/** The status of a Service with an address; `undefined` for another type, or if the Service has an address already. */
export function balancedService({ spec, status }: Service): WorkloadStatus | undefined {
  const hasAddress = (status?.loadBalancer?.ingress ?? []).length > 0
  if (spec?.type !== 'LoadBalancer' || hasAddress) return undefined
  return { loadBalancer: { ingress: [{ ip: balancerAddress }] } }
}

const positiveOrNull = (count: number) => (count > 0 ? count : null)
