import { fieldAt, type OpenObject, textAt } from '../../base/object.js'
import { elementsAt, firstOf, isMarked, labels, listAt, pointer, selector, text } from './cell.js'
import type { CellsByResource } from './column.js'

/** The cells of Services, endpoints, Ingresses and their classes. */
export const networkingCells: CellsByResource = {
  services: {
    Type: text('spec', 'type'),
    'Cluster-IP': (object) => listAt(object, 'spec', 'clusterIPs')[0] ?? '<none>',
    'External-IP': externalAddress,
    'Port(s)': servicePorts,
    Selector: labels('spec', 'selector'),
  },
  endpoints: { Endpoints: endpointAddresses },
  'endpointslices.discovery.k8s.io': {
    AddressType: text('addressType'),
    Ports: (object) => orUnset(firstOf(elementsAt(object, 'ports').map(slicePort), 3)),
    Endpoints: (object) => {
      const addresses = elementsAt(object, 'endpoints').flatMap((endpoint) =>
        listAt(endpoint, 'addresses').map(String),
      )
      return orUnset(firstOf(addresses, 3))
    },
  },
  'ingresses.networking.k8s.io': {
    Class: pointer('<none>', 'spec', 'ingressClassName'),
    Hosts: hostsOf,
    Address: balancerAddresses,
    Ports: (object) => (listAt(object, 'spec', 'tls').length === 0 ? '80' : '80, 443'),
  },
  'ingressclasses.networking.k8s.io': {
    Name: (object) => nameOfClass(object, 'ingressclass.kubernetes.io/is-default-class'),
    Controller: text('spec', 'controller'),
    Parameters: parametersOf,
  },
  'networkpolicies.networking.k8s.io': { 'Pod-Selector': selector('spec', 'podSelector') },
  'ipaddresses.networking.k8s.io': { ParentRef: parentOf },
  'servicecidrs.networking.k8s.io': { CIDRs: (object) => listAt(object, 'spec', 'cidrs').join(',') },
}

const orUnset = (text: string) => text || '<unset>'

/** The name of a class, with a note if it is the default. */
export function nameOfClass(object: OpenObject, ...annotations: readonly string[]): string {
  return isMarked(object, ...annotations) ? `${object.metadata.name} (default)` : String(object.metadata.name)
}

function servicePorts(service: OpenObject): string {
  const ports = elementsAt(service, 'spec', 'ports').map(({ port, nodePort, protocol }) =>
    nodePort === undefined ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`,
  )
  return ports.join(',') || '<none>'
}

function externalAddress(service: OpenObject): string {
  const type = textAt(service, 'spec', 'type')
  if (type === 'ExternalName') return textAt(service, 'spec', 'externalName')
  const externalAddresses = listAt(service, 'spec', 'externalIPs').join(',')
  if (type !== 'LoadBalancer') return externalAddresses || '<none>'
  return [balancerAddresses(service), externalAddresses].filter(Boolean).join(',') || '<pending>'
}

function balancerAddresses(object: OpenObject): string {
  const ingress = elementsAt(object, 'status', 'loadBalancer', 'ingress')
  const addresses = ingress.map((address) => textAt(address, 'ip') || textAt(address, 'hostname'))
  return [...new Set(addresses)].filter(Boolean).sort().join(',')
}

function endpointAddresses(object: OpenObject): string {
  const addresses = elementsAt(object, 'subsets').flatMap((subset) => {
    const ips = elementsAt(subset, 'addresses').map(({ ip }) => String(ip))
    const ports = elementsAt(subset, 'ports')
    return ports.length === 0 ? ips : ports.flatMap(({ port }) => ips.map((ip) => hostPort(ip, port)))
  })
  return elementsAt(object, 'subsets').length === 0 ? '<none>' : firstOf(addresses, 3)
}

function hostPort(ip: string, port: unknown): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`
}

function slicePort({ port, name }: Record<string, unknown>): string {
  return String(port ?? name ?? '*')
}

/** The hosts of the first three rules; rules without a host are skipped. */
function hostsOf(ingress: OpenObject): string {
  const rules = elementsAt(ingress, 'spec', 'rules').map((rule) => textAt(rule, 'host'))
  const hosts = rules.filter(Boolean)
  if (hosts.length === 0) return '*'
  const shownHosts = hosts.slice(0, 3).join(',')
  const hasMore = hosts.length > 3 || (hosts.length === 3 && rules.at(-1) === '')
  return hasMore ? `${shownHosts} + ${rules.length - 3} more...` : shownHosts
}

function parametersOf(object: OpenObject): string {
  const parameters = fieldAt(object, 'spec', 'parameters')
  if (parameters === undefined) return '<none>'
  const group = textAt(parameters, 'apiGroup')
  const kind = textAt(parameters, 'kind') + (group === '' ? '' : `.${group}`)
  return `${kind}/${textAt(parameters, 'name')}`
}

function parentOf(object: OpenObject): string {
  const parent = fieldAt(object, 'spec', 'parentRef')
  if (parent === undefined) return '<none>'
  const resource = [textAt(parent, 'resource'), textAt(parent, 'group')]
    .filter(Boolean)
    .join('.')
    .toLowerCase()
  return [resource, textAt(parent, 'namespace'), textAt(parent, 'name')].filter(Boolean).join('/')
}
