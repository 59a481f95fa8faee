import { groupOfApiVersion } from '../../../engine/kube/api-version.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { isOfKubernetes } from '../../permissions/resource-of-object.js'
import { OperationError } from '../problem/problem.js'
import type { ReleaseObject } from './release-object.js'

/** The kind and the key of an object. */
type ObjectRef = Pick<ReleaseObject, 'resource' | 'key'>

/** An object whose readiness a run has checked. */
export interface CheckedObject extends ObjectRef {
  /** The resourceVersion that was checked; `''` for an object that is gone. */
  readonly version: string
  readonly isRunning: boolean
}

/** The readiness that a run has found, from which later changes are recognised. */
export interface KnownReadiness {
  /** Undefined until the run has checked the readiness. */
  objects?: readonly CheckedObject[]
}

/** A release waits for its objects to be ready, and with `jobs` also for the end of its Jobs. */
export type WaitMode = 'ready' | 'jobs'

interface Condition {
  readonly type: string
  readonly status: string
  readonly message?: string
}

/** The fields that determine whether an object is ready; each kind has some of them. */
interface Fields {
  readonly spec?: {
    readonly replicas?: number
    readonly paused?: boolean
    readonly type?: string
    readonly externalIPs?: readonly string[]
    readonly updateStrategy?: {
      readonly type?: string
      readonly rollingUpdate?: { readonly partition?: number }
    }
  }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly updatedReplicas?: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
    readonly desiredNumberScheduled?: number
    readonly updatedNumberScheduled?: number
    readonly numberAvailable?: number
    readonly phase?: string
    readonly conditions?: readonly Condition[]
    readonly loadBalancer?: { readonly ingress?: readonly unknown[] }
  }
}

type ReadinessOf = (fields: Fields, object: KubeObject) => boolean

/** The rules of readiness of built-in kinds, by kind. */
const readinessByKind: Readonly<Record<string, ReadinessOf>> = {
  Deployment: ({ spec, status = {} }) =>
    allOf(spec?.replicas ?? 1, [status.updatedReplicas, status.availableReplicas]) &&
    (status.replicas ?? 0) <= (spec?.replicas ?? 1),
  StatefulSet: ({ spec, status = {} }) => {
    const replicas = spec?.replicas ?? 1
    const { type, rollingUpdate } = spec?.updateStrategy ?? {}
    const updated = Math.max(0, replicas - (rollingUpdate?.partition ?? 0))
    return (
      allOf(replicas, [status.readyReplicas]) &&
      (type === 'OnDelete' || allOf(updated, [status.updatedReplicas]))
    )
  },
  ReplicaSet: ({ spec, status = {} }) => allOf(spec?.replicas ?? 1, [status.readyReplicas]),
  ReplicationController: ({ spec, status = {} }) => allOf(spec?.replicas ?? 1, [status.readyReplicas]),
  // Without a status, the controller of the DaemonSet has not handled it yet.
  DaemonSet: ({ spec, status = {} }) =>
    status.desiredNumberScheduled !== undefined &&
    allOf(
      status.desiredNumberScheduled,
      spec?.updateStrategy?.type === 'OnDelete'
        ? [status.numberAvailable]
        : [status.numberAvailable, status.updatedNumberScheduled],
    ),
  PersistentVolumeClaim: ({ status }) => status?.phase === 'Bound',
  Service: ({ spec, status }) =>
    spec?.type !== 'LoadBalancer' ||
    (spec.externalIPs ?? []).length > 0 ||
    (status?.loadBalancer?.ingress ?? []).length > 0,
  Pod: ({ status }) => isTrue(status?.conditions, 'Ready') || status?.phase === 'Succeeded',
  CustomResourceDefinition: ({ status }) => isTrue(status?.conditions, 'Established'),
  APIService: ({ status }) => isTrue(status?.conditions, 'Available'),
}

/** Whether each number is at least `minCount`; a missing one counts as 0. */
const allOf = (minCount: number, numbers: readonly (number | undefined)[]) =>
  numbers.every((number = 0) => number >= minCount)

const findCondition = (conditions: readonly Condition[] | undefined, type: string) =>
  conditions?.find((condition) => condition.type === type)
const isTrue = (conditions: readonly Condition[] | undefined, type: string) =>
  findCondition(conditions, type)?.status === 'True'

/** The kinds whose `observedGeneration` is always set by a controller. */
const observedKinds: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'])

/**
 * Whether an object is ready by the rules of `helm --wait`. An object of a kind without a rule is ready unless its
 * condition `Ready` is not `True`. Throws {@link OperationError} for a Job that failed.
 */
export function isReadyForWait(object: KubeObject, mode: WaitMode): boolean {
  const { kind = '', metadata } = object
  const fields = object as Fields
  const { observedGeneration, conditions } = fields.status ?? {}
  const { generation = 0 } = metadata
  if (metadata.deletionTimestamp !== undefined) return false
  // Other groups have kinds of the same names, such as a Service of Knative.
  const isBuiltin = isOfKubernetes(groupOf(object))
  // A paused Deployment rolls out nothing, so it would be waited for until somebody resumes it.
  if (kind === 'Deployment' && isBuiltin && fields.spec?.paused === true) return true
  if (kind === 'Job' && isBuiltin) return mode === 'ready' || isJobDone(object, conditions)
  if (
    observedGeneration === undefined ? isBuiltin && observedKinds.has(kind) : observedGeneration < generation
  )
    return false
  const isReady = isBuiltin ? readinessByKind[kind] : undefined
  return isReady?.(fields, object) ?? (findCondition(conditions, 'Ready')?.status ?? 'True') === 'True'
}

const groupOf = ({ apiVersion = '' }: KubeObject) => groupOfApiVersion(apiVersion)

/** Whether an existing object can be unready. A ConfigMap cannot, and a Service only with a load balancer. */
export function hasReadiness({ resource: { group, kind }, object }: ReleaseObject): boolean {
  if (kind === 'Service' && group === '') return (object as Fields).spec?.type === 'LoadBalancer'
  return !isOfKubernetes(group) || Object.hasOwn(readinessByKind, kind)
}

/** Whether an object may stop running after it was deployed. */
export const mayStop = (object: ReleaseObject) => hasReadiness(object) || isJob(object)

const isJob = ({ resource: { group, kind } }: ObjectRef) => kind === 'Job' && group === 'batch'

/**
 * Whether an object of a deployed release runs, by its live state (undefined if it is gone). A Job counts as running
 * until it fails; a missing Job has ended, and counts as running, too.
 */
export function isRunning(object: ObjectRef, live: KubeObject | undefined): boolean {
  if (!live) return isJob(object)
  if (isJob(object)) return !isTrue((live as Fields).status?.conditions, 'Failed')
  return isReadyForWait({ ...live, kind: object.resource.kind }, 'ready')
}

/** Whether a Job has completed. Throws {@link OperationError} if it failed. */
function isJobDone({ metadata }: KubeObject, conditions: readonly Condition[] | undefined): boolean {
  const failed = findCondition(conditions, 'Failed')
  if (failed?.status === 'True')
    throw new OperationError(`the Job ${metadata.namespace}/${metadata.name} failed: ${failed.message ?? ''}`)
  return isTrue(conditions, 'Complete')
}
