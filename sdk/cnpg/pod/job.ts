import type { Builtin } from '../../kube/builtin.js'
import type { V1Job } from '../../kube/gen/kubernetes.js'
import type { Resource } from '../../kube/resource.js'

/** The objects of batch/v1 Job. */
export type Job = Builtin<V1Job, 'Job'>

/** batch/v1 Job: the operator makes Jobs that initialize, restore, join and upgrade instances. */
export const jobs: Resource<Job> = {
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  namespaced: true,
}
