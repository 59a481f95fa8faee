import omit from 'lodash/omit.js'
import pick from 'lodash/pick.js'
import {
  type ConfigMap,
  configMaps,
  type Pod,
  pods,
  type Secret,
  type Service,
  secrets,
  services,
} from '../../kube/builtin.js'
import type { Key } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import type { Resource } from '../../kube/resource.js'
import { podReferences } from '../../translator/references/pod-references.js'
import type { References } from '../../translator/references/reference-rules.js'
import type { MirroredKind } from './mirrored-kind.js'

/** How vcluster's own syncer of a kind treats its objects. */
export interface KindRules<T extends KubeObject> {
  /** vcluster's name for the syncer. */
  readonly name: string
  readonly resource: Resource<T>
  /** What refers to other objects, where that is not what the translators know of the kind. */
  readonly references?: References
  /** Fields that the users of both clusters may change, since 0.21. */
  readonly twoWay: readonly string[]
  /** The status that the original gets; none where the kind has none to bring up. */
  readonly statusUp?: (host: T, virtual: T) => object | undefined
  /** Whether only those are mirrored that a Pod refers to, or whose user asks for it. */
  readonly onlyWanted: boolean
  /** An object that is never mirrored: the API server's own Service. */
  readonly exempt?: Key
  /** Whether a copy stays when its original was made anew. */
  readonly keepsCopy: boolean
  /** A new copy, from the translated original. */
  created(copy: T, vclusterName: string): T
  /** What an existing copy becomes, from a new one as it would be made now. */
  updated(host: T, copy: T): T
}

const sameData = <T extends ConfigMap | Secret>(name: string, resource: Resource<T>): KindRules<T> => ({
  name,
  resource,
  twoWay: ['data', 'binaryData'],
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

/** What the host's API server allocates for itself. */
const allocated = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'healthCheckNodePort'] as const

const serviceRules: KindRules<Service> = {
  name: 'service',
  resource: services,
  exempt: { namespace: 'default', name: 'kubernetes' },
  twoWay: [],
  statusUp: ({ status }) => status,
  onlyWanted: false,
  keepsCopy: true,
  created: (copy) => ({ ...copy, spec: { ...ownAddresses(copy.spec), ...withoutNodePorts(copy.spec) } }),
  updated: (host, copy) => ({ ...host, spec: updatedServiceSpec(host.spec, copy.spec) }),
}

type ServiceSpec = NonNullable<Service['spec']>

const ownAddresses = (spec: ServiceSpec = {}): ServiceSpec =>
  spec.clusterIP === 'None' ? { clusterIP: 'None' } : {}

function withoutNodePorts(spec: ServiceSpec = {}): ServiceSpec {
  const ports = spec.ports?.map((port) => omit(port, 'nodePort') as typeof port)
  return { ...omit(spec, allocated), ...(ports && { ports }) }
}

/** What the host's API server filled in stays: its addresses, node ports, and the target port of a port that names none. */
function updatedServiceSpec(host: ServiceSpec = {}, copy: ServiceSpec = {}): ServiceSpec {
  const { ports, ...rest } = withoutNodePorts(copy)
  const standing = new Map(host.ports?.map((port) => [port.name ?? '', port]))
  const merged = ports?.map((port) => {
    const there = standing.get(port.name ?? '')
    return there?.port === port.port ? { ...there, ...port } : port
  })
  return { ...pick(host, allocated), ...rest, ...(merged && { ports: merged }) }
}

/** Every kind that can be mirrored, as vcluster's chart has them switched on. */
export const mirroredKinds: Readonly<Record<MirroredKind, KindRules<never>>> = {
  Pod: podRules as unknown as KindRules<never>,
  Service: serviceRules as unknown as KindRules<never>,
  Secret: sameData('secret', secrets) as unknown as KindRules<never>,
  ConfigMap: sameData('configmap', configMaps) as unknown as KindRules<never>,
}
