import type { V1APIService } from '../../sdk/engine/kube/gen/kubernetes.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { WorkloadStatus } from './workload-status.js'

/** An object of apiregistration.k8s.io/v1 APIService. */
export type APIService = KubeObject & Pick<V1APIService, 'spec' | 'status'>

/** apiregistration.k8s.io/v1 APIService. */
export const apiServices: Resource<APIService> = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  namespaced: false,
}

/**
 * The status of an APIService whose server answers; `undefined` if it is known whether the server answers, or if the
 * API is one of the kube-apiserver itself.
 */
export function availableApiService({ metadata, spec, status }: APIService): WorkloadStatus | undefined {
  const conditions = status?.conditions ?? []
  if (spec?.service === undefined || conditions.some(({ type }) => type === 'Available')) return undefined
  const available = { type: 'Available', status: 'True', reason: 'Passed', message: 'all checks passed' }
  return { conditions: [...conditions, { ...available, lastTransitionTime: metadata.creationTimestamp }] }
}
