import omit from 'lodash/omit.js'
import { type Service, services } from '../../sdk/engine/kube/builtin.js'
import { jsonEqual } from '../../sdk/engine/kube/json.js'
import type { ObjectPair } from './bidirectional-update.js'
import { type FieldPath, withFieldsOf } from './field-path.js'
import type { KindRules } from './kind-rules.js'

type ServiceSpec = NonNullable<Service['spec']>

const inSpec = (...names: string[]): FieldPath[] => names.map((name) => ['spec', name])

const ports = inSpec('ports')
/** Fields that only the host decides up to 0.19. */
const hostFields = inSpec('externalIPs', 'loadBalancerIP')
/** Fields that only the virtual cluster decides up to 0.19, with the ports. */
const virtualFields = inSpec(
  'type',
  'externalName',
  'publishNotReadyAddresses',
  'externalTrafficPolicy',
  'sessionAffinity',
  'sessionAffinityConfig',
  'loadBalancerSourceRanges',
  'healthCheckNodePort',
)

/**
 * Services. Each cluster allocates its own cluster IP. vcluster deletes the virtual Service and creates it
 * with the cluster IP of the host.
 *
 * See pkg/controllers/resources/services/syncer.go @ v0.36.1 of vcluster, and the same file and translate.go @ v0.19.7.
 */
export const serviceRules: KindRules<Service> = {
  name: 'service',
  resource: services,
  exempt: { namespace: 'default', name: 'kubernetes' },
  bidirectional: [...ports, ...hostFields, ...virtualFields],
  virtualStatus: ({ status }) => status,
  onlyUsed: false,
  updatesOnNewUid: true,
  translated: ({ spec, ...service }, { labels }) => {
    if (!spec?.selector) return { ...service, ...(spec && { spec }) }
    const { namespace = '' } = service.metadata
    return { ...service, spec: { ...spec, selector: labels.matchLabels(spec.selector, namespace) } }
  },
  created: (copy) => ({ ...copy, spec: withoutAllocated(copy.spec) }),
  updated: (host, copy) => withFieldsOf(host, copy, inSpec('selector')),
  isWaiting: ({ virtual, host }) => isAlias(virtual) && !isAlias(host) && hasClusterIp(host),
  recreated: ({ virtual, host }) => {
    if ((virtual.spec?.clusterIP ?? '') === (host.spec?.clusterIP ?? '')) return undefined
    return withFieldsOf({ ...virtual, spec: omit(virtual.spec, 'clusterIPs') }, host, inSpec('clusterIP'))
  },
  virtualUpdate: ({ virtual, host }) => {
    const isSame = virtual.spec?.type === host.spec?.type && jsonEqual(portsOf(virtual), portsOf(host))
    return withFieldsOf(virtual, host, isSame ? [...hostFields, ...ports] : hostFields)
  },
  hostUpdate: ({ virtual, host }) =>
    withVirtualPorts({ virtual, host: withFieldsOf(host, virtual, virtualFields) }),
}

const isAlias = ({ spec }: Service) => spec?.type === 'ExternalName'
const hasClusterIp = ({ spec }: Service) => (spec?.clusterIP ?? '') !== ''

/** The specification without the fields that the host allocates. */
function withoutAllocated(spec: ServiceSpec = {}): ServiceSpec {
  const { clusterIP, clusterIPs: _, ipFamilies: __, ipFamilyPolicy: ___, ...rest } = spec
  const withPorts = spec.ports && { ports: spec.ports.map(withoutNodePort) }
  return { ...rest, ...withPorts, ...(clusterIP === 'None' && { clusterIP }) }
}

type Port = NonNullable<ServiceSpec['ports']>[number]

function withoutNodePort({ nodePort: _, ...port }: Port): Port {
  return port
}

const portsOf = ({ spec }: Service) => (spec?.ports ?? []).map(withoutNodePort)

/**
 * The ports of the virtual Service if they differ in more than their node ports, which the host allocates.
 */
function withVirtualPorts({ virtual, host }: ObjectPair<Service>): Service {
  if (jsonEqual(portsOf(virtual), portsOf(host))) return host
  return { ...host, spec: { ...host.spec, ports: portsOf(virtual) } }
}
