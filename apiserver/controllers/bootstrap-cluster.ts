import type { OpenObject } from '../base/object.js'
import type { ServerParts } from '../server/context.js'
import { createObject } from '../verbs/create.js'
import { internalRequest } from './internal-request.js'

/** The namespaces of every cluster. */
const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/** Namespace and name of the ConfigMap with which programs check client certificates. */
export const AUTHENTICATION = { namespace: 'kube-system', name: 'extension-apiserver-authentication' }

/** The first address of the range of Services. */
const SERVICE_ADDRESS = '10.96.0.1'
/**
 * Endpoints may not have loopback addresses, and the server need not listen at all. This address is reserved for
 * documentation (RFC 5737), so that no program connects to it by mistake.
 */
const ENDPOINT_ADDRESS = '192.0.2.1'
const ENDPOINT = { name: 'https', port: 6443, protocol: 'TCP' }

/**
 * Creates what a kube-apiserver itself creates in every cluster; `authority` is the certificate of client certificates.
 */
export function bootstrapCluster(server: ServerParts, authority: string): void {
  for (const name of NAMESPACES) make(server, { plural: 'namespaces', object: { metadata: { name } } })
  const { namespace, name } = AUTHENTICATION
  const data = { 'client-ca-file': authority }
  make(server, { plural: 'configmaps', namespace, object: { metadata: { name }, data } })
  for (const each of apiServerObjects()) make(server, { namespace: 'default', ...each })
}

/** The Service of the API server, with its Endpoints. */
function apiServerObjects(): Wanted[] {
  const name = 'kubernetes'
  const ports = [{ name: 'https', port: 443, protocol: 'TCP', targetPort: ENDPOINT.port }]
  const labels = { component: 'apiserver', provider: name }
  return [
    {
      plural: 'services',
      object: {
        metadata: { name, labels },
        spec: { type: 'ClusterIP', clusterIP: SERVICE_ADDRESS, ports, sessionAffinity: 'None' },
      },
    },
    {
      plural: 'endpoints',
      object: {
        metadata: { name, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
        subsets: [{ addresses: [{ ip: ENDPOINT_ADDRESS }], ports: [{ ...ENDPOINT }] }],
      },
    },
    {
      group: 'discovery.k8s.io',
      plural: 'endpointslices',
      object: {
        metadata: { name, labels: { 'kubernetes.io/service-name': name } },
        addressType: 'IPv4',
        endpoints: [{ addresses: [ENDPOINT_ADDRESS], conditions: { ready: true } }],
        ports: [{ ...ENDPOINT }],
      },
    },
  ]
}

interface Wanted {
  readonly group?: string
  readonly plural: string
  readonly namespace?: string
  readonly object: OpenObject
}

function make(server: ServerParts, { group = '', plural, namespace = '', object }: Wanted): void {
  const resource = server.registry.find(group, 'v1', plural)
  if (resource === undefined) return
  const request = internalRequest(server, { resource, namespace, caller: 'kube-apiserver' })
  createObject(request, object, { dryRun: false })
}
