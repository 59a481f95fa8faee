import omit from 'lodash/omit.js'
import pick from 'lodash/pick.js'
import {
  type ConfigMap,
  configMaps,
  type Pod,
  pods,
  type Secret,
  secrets,
} from '../../sdk/engine/kube/builtin.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { KindRules } from './kind-rules.js'
import { withHostReferences } from './pod-translation.js'
import { serviceRules } from './service-rules.js'
import type { SyncedKind } from './synced-kind.js'

const dataRules = <T extends ConfigMap | Secret>(name: string, resource: Resource<T>): KindRules<T> => ({
  name,
  resource,
  bidirectional: [['data'], ['binaryData']],
  onlyUsed: true,
  updatesOnNewUid: false,
  created: (copy) => copy,
  updated: (host) => host,
})

const secretRules: KindRules<Secret> = {
  ...dataRules('secret', secrets),
  // The host would fill a Secret for a token with a token of its own ServiceAccount.
  created: (copy) =>
    copy.type === 'kubernetes.io/service-account-token' ? { ...copy, type: 'Opaque' } : copy,
}

const podRules: KindRules<Pod> = {
  name: 'pod',
  resource: pods,
  translated: withHostReferences,
  bidirectional: [],
  // The class follows from the spec, which a hook may have changed on the host. The API server keeps it.
  virtualStatus: ({ status }, virtual) => status && { ...status, ...pick(virtual.status, 'qosClass') },
  onlyUsed: false,
  updatesOnNewUid: false,
  created: (copy, vclusterName) => ({ ...copy, spec: createdPodSpec(copy.spec, vclusterName) }),
  updated: (host, copy) => ({ ...host, spec: updatedPodSpec(host.spec, copy.spec) }),
}

type PodSpec = NonNullable<Pod['spec']>

/** Fields that are valid only in the virtual cluster; PriorityClasses are not synced by default. */
const virtualOnly = ['serviceAccount', 'nodeName', 'priorityClassName', 'priority'] as const

function createdPodSpec(spec: PodSpec = { containers: [] }, vclusterName: string): PodSpec {
  return {
    ...(omit(spec, virtualOnly) as PodSpec),
    serviceAccountName: `vc-workload-${vclusterName}`,
    automountServiceAccountToken: false,
  }
}

/**
 * The fields of a Pod that can be updated; see
 * https://kubernetes.io/docs/concepts/workloads/pods/#pod-update-and-replacement.
 */
function updatedPodSpec(host: PodSpec = { containers: [] }, copy: PodSpec = { containers: [] }): PodSpec {
  const images = new Map(copy.containers.map(({ name, image }) => [name, image]))
  const containers = host.containers.map((container) => {
    const image = images.get(container.name)
    return image === undefined ? container : { ...container, image }
  })
  return { ...host, containers, ...pick(copy, 'activeDeadlineSeconds') }
}

/** Every kind that the simulator syncs. vcluster's chart enables these kinds by default. */
export const builtInKinds: Readonly<Record<SyncedKind, KindRules<never>>> = {
  Pod: podRules as unknown as KindRules<never>,
  Service: serviceRules as unknown as KindRules<never>,
  Secret: secretRules as unknown as KindRules<never>,
  ConfigMap: dataRules('configmap', configMaps) as unknown as KindRules<never>,
}
