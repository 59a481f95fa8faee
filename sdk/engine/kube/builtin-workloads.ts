import type { Builtin } from './builtin.js'
import type {
  V1CronJob,
  V1DaemonSet,
  V1Job,
  V1PodDisruptionBudget,
  V1ReplicaSet,
  V1StatefulSet,
  V2HorizontalPodAutoscaler,
} from './gen/kubernetes.js'
import type { Resource } from './resource.js'

/** The objects of apps/v1 StatefulSet. */
export type StatefulSet = Builtin<V1StatefulSet, 'StatefulSet'>
/** The objects of apps/v1 DaemonSet. */
export type DaemonSet = Builtin<V1DaemonSet, 'DaemonSet'>
/** The objects of apps/v1 ReplicaSet. */
export type ReplicaSet = Builtin<V1ReplicaSet, 'ReplicaSet'>
/** The objects of batch/v1 Job. */
export type Job = Builtin<V1Job, 'Job'>
/** The objects of batch/v1 CronJob. */
export type CronJob = Builtin<V1CronJob, 'CronJob'>
/** The objects of autoscaling/v2 HorizontalPodAutoscaler. */
export type HorizontalPodAutoscaler = Builtin<V2HorizontalPodAutoscaler, 'HorizontalPodAutoscaler'>
/** The objects of policy/v1 PodDisruptionBudget. */
export type PodDisruptionBudget = Builtin<V1PodDisruptionBudget, 'PodDisruptionBudget'>

/** apps/v1 StatefulSet. */
export const statefulSets: Resource<StatefulSet> = {
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  namespaced: true,
}

/** apps/v1 DaemonSet. */
export const daemonSets: Resource<DaemonSet> = {
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  namespaced: true,
}

/** apps/v1 ReplicaSet. */
export const replicaSets: Resource<ReplicaSet> = {
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  namespaced: true,
}

/** batch/v1 Job. */
export const jobs: Resource<Job> = {
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  namespaced: true,
}

/** batch/v1 CronJob. */
export const cronJobs: Resource<CronJob> = {
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  namespaced: true,
}

/** autoscaling/v2 HorizontalPodAutoscaler. */
export const horizontalPodAutoscalers: Resource<HorizontalPodAutoscaler> = {
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  namespaced: true,
}

/** policy/v1 PodDisruptionBudget. */
export const podDisruptionBudgets: Resource<PodDisruptionBudget> = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  namespaced: true,
}
