import omit from 'lodash/omit.js'
import { type Service, services } from '../../sdk/kube/builtin.js'
import { jsonEqual } from '../../sdk/kube/json.js'
import type { PlainPair as Pair } from '../../sdk/syncer/syncer.js'
import { type FieldPath, withFieldsOf } from './field-path.js'
import type { KindRules } from './kind-rules.js'

type ServiceSpec = NonNullable<Service['spec']>

const inSpec = (...names: string[]): FieldPath[] => names.map((name) => ['spec', name])

const ports = inSpec('ports')
/** What up to 0.19 the host alone decides. */
const hostsOwn = inSpec('externalIPs', 'loadBalancerIP')
/** What up to 0.19 the virtual cluster alone decides, ports aside. */
const usersOwn = inSpec(
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
 * Services. Each cluster allocates its own cluster IP, and vcluster makes the virtual Service anew with that of the host.
 *
 * See pkg/controllers/resources/services/syncer.go @ v0.36.1 of vcluster, and the same file and translate.go @ v0.19.7.
 */
export const serviceRules: KindRules<Service> = {
  name: 'service',
  resource: services,
  exempt: { namespace: 'default', name: 'kubernetes' },
  twoWay: [...ports, ...hostsOwn, ...usersOwn],
  statusUp: ({ status }) => status,
  onlyWanted: false,
  keepsCopy: true,
  created: (copy) => ({ ...copy, spec: forTheHost(copy.spec) }),
  updated: (host, copy) => withFieldsOf(host, copy, inSpec('selector')),
  isWaiting: ({ virtual, host }) => isAlias(virtual) && !isAlias(host) && hasClusterIp(host),
  recreated: ({ virtual, host }) => {
    if ((virtual.spec?.clusterIP ?? '') === (host.spec?.clusterIP ?? '')) return undefined
    return withFieldsOf({ ...virtual, spec: omit(virtual.spec, 'clusterIPs') }, host, inSpec('clusterIP'))
  },
  upFirst: ({ virtual, host }) => {
    const isSame = virtual.spec?.type === host.spec?.type && jsonEqual(portsOf(virtual), portsOf(host))
    return withFieldsOf(virtual, host, isSame ? [...hostsOwn, ...ports] : hostsOwn)
  },
  downAlone: ({ virtual, host }) => withUsersPorts({ virtual, host: withFieldsOf(host, virtual, usersOwn) }),
}

const isAlias = ({ spec }: Service) => spec?.type === 'ExternalName'
const hasClusterIp = ({ spec }: Service) => (spec?.clusterIP ?? '') !== ''

/** Without what the host allocates for itself. */
function forTheHost(spec: ServiceSpec = {}): ServiceSpec {
  const { clusterIP, clusterIPs: _, ipFamilies: __, ipFamilyPolicy: ___, ...rest } = spec
  const withPorts = spec.ports && { ports: spec.ports.map(withoutNodePort) }
  return { ...rest, ...withPorts, ...(clusterIP === 'None' && { clusterIP }) }
}

type Port = NonNullable<ServiceSpec['ports']>[number]

function withoutNodePort({ nodePort: _, ...port }: Port): Port {
  return port
}

const portsOf = ({ spec }: Service) => (spec?.ports ?? []).map(withoutNodePort)

/** Ports that differ in more than their node ports; the host's API server keeps those that it allocated. */
function withUsersPorts({ virtual, host }: Pair<Service>): Service {
  if (jsonEqual(portsOf(virtual), portsOf(host))) return host
  return { ...host, spec: { ...host.spec, ports: portsOf(virtual) } }
}
