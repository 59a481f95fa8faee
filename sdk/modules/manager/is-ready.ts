import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'

interface Statuses {
  readonly spec?: { readonly replicas?: number }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly readyReplicas?: number
    readonly updatedReplicas?: number
    readonly desiredNumberScheduled?: number
    readonly numberReady?: number
    readonly phase?: string
    /** Null in a new definition. */
    readonly conditions?: readonly { readonly type: string; readonly status: string }[] | null
  }
}

/** The conditions that mean that an object works. Each kind has only some of them, or none. */
const goodConditions = ['Ready', 'Available', 'Established', 'Complete', 'Succeeded']

/** Whether the status of an object means that the object works. An object without such a status is ready. */
export function isReady(object: KubeObject, resource: Pick<Resource, 'group' | 'plural'>): boolean {
  const { metadata } = object
  const { spec, status = {} } = object as Statuses
  if (metadata.deletionTimestamp) return false
  const isSeen = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  switch (formatResource(resource)) {
    case 'deployments.apps':
    case 'statefulsets.apps':
      return isSeen && areReady(status, spec?.replicas ?? 1)
    case 'daemonsets.apps':
      return isSeen && (status.numberReady ?? 0) >= (status.desiredNumberScheduled ?? 0)
    case 'persistentvolumeclaims':
      return status.phase === 'Bound'
    case 'pods':
    case 'jobs.batch':
    case 'customresourcedefinitions.apiextensions.k8s.io':
      return hasGood(status)
    default:
      return status.conditions?.some(({ type }) => goodConditions.includes(type)) ? hasGood(status) : true
  }
}

function areReady(
  { readyReplicas = 0, updatedReplicas = readyReplicas }: NonNullable<Statuses['status']>,
  wanted: number,
) {
  return Math.min(readyReplicas, updatedReplicas) >= wanted
}

function hasGood({ conditions }: NonNullable<Statuses['status']>): boolean {
  const isGood = conditions?.some(({ type, status }) => goodConditions.includes(type) && status === 'True')
  return isGood ?? false
}
