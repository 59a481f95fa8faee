import omit from 'lodash/omit.js'
import pick from 'lodash/pick.js'
import { type ConfigMap, configMaps, type Pod, pods, type Secret, secrets } from '../../sdk/kube/builtin.js'
import type { Resource } from '../../sdk/kube/resource.js'
import { podReferences } from '../../sdk/syncer/references/pod-references.js'
import type { References } from '../../sdk/syncer/references/reference-rules.js'
import type { KindRules } from './kind-rules.js'
import type { MirroredKind } from './mirrored-kind.js'
import { serviceRules } from './service-rules.js'

const sameData = <T extends ConfigMap | Secret>(name: string, resource: Resource<T>): KindRules<T> => ({
  name,
  resource,
  twoWay: [['data'], ['binaryData']],
  onlyWanted: true,
  keepsCopy: false,
  created: (copy) => copy,
  updated: (host) => host,
})

/** Names are translated; what a pod may reach is for the host namespace's own admission to judge. */
const lenient: References = { ...podReferences('spec'), spec: 'plain' }

const podRules: KindRules<Pod> = {
  name: 'pod',
  resource: pods,
  references: lenient,
  twoWay: [],
  // The class follows from the spec, which a hook may have changed on the host; the API server keeps it as it is.
  statusUp: ({ status }, virtual) => status && { ...status, ...pick(virtual.status, 'qosClass') },
  onlyWanted: false,
  keepsCopy: false,
  created: (copy, vclusterName) => ({
    ...copy,
    spec: {
      ...(omit(copy.spec, 'serviceAccount', 'nodeName') as PodSpec),
      serviceAccountName: `vc-workload-${vclusterName}`,
      automountServiceAccountToken: false,
    },
  }),
  updated: (host, copy) => ({ ...host, spec: updatedPodSpec(host.spec, copy.spec) }),
}

type PodSpec = NonNullable<Pod['spec']>

/** What of a pod may change after it was created; see https://kubernetes.io/docs/concepts/workloads/pods/#pod-update-and-replacement. */
function updatedPodSpec(host: PodSpec = { containers: [] }, copy: PodSpec = { containers: [] }): PodSpec {
  const images = new Map(copy.containers.map(({ name, image }) => [name, image]))
  const containers = host.containers.map((container) => {
    const image = images.get(container.name)
    return image === undefined ? container : { ...container, image }
  })
  return { ...host, containers, ...pick(copy, 'activeDeadlineSeconds') }
}

/** Every kind that can be mirrored, as vcluster's chart has them switched on. */
export const builtInKinds: Readonly<Record<MirroredKind, KindRules<never>>> = {
  Pod: podRules as unknown as KindRules<never>,
  Service: serviceRules as unknown as KindRules<never>,
  Secret: sameData('secret', secrets) as unknown as KindRules<never>,
  ConfigMap: sameData('configmap', configMaps) as unknown as KindRules<never>,
}
