import type { IgnoredDrift } from '../../helm/reconciler/objects/ignored-fields.js'

/** The fields of workloads that a sleep sets, and in which a sleeping release differs from its manifest. */
export const sleepDrift: readonly IgnoredDrift[] = [
  ...['Deployment.apps', 'StatefulSet.apps', 'ReplicaSet.apps', 'ReplicationController'].map((kind) => ({
    kind,
    paths: ['spec.replicas'],
  })),
  ...['CronJob.batch', 'Job.batch'].map((kind) => ({ kind, paths: ['spec.suspend'] })),
]
