import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import { isTrueParameter } from '../request/query.js'
import type { ApiResponse } from '../request/request.js'
import { badRequest, failure, notFound } from '../request/status.js'
import type { ResourceRequest } from '../server/context.js'
import { admitPart } from './admission-steps.js'
import { get } from './get.js'
import { checkLogOptions } from './log-options.js'
import { attachOptions, execOptions, portForwardOptions } from './part-kinds.js'

/** The connections to a pod that the kubelet of its node serves. */
type Connection = 'log' | 'exec' | 'attach' | 'portforward'

const connections: readonly string[] = ['log', 'exec', 'attach', 'portforward'] satisfies Connection[]

/** Whether a subresource of a pod is served by its node. */
export function isConnection(subresource: string): subresource is Connection {
  return connections.includes(subresource)
}

/**
 * The response of a kube-apiserver without kubelets: a pod without a node has no log, and nodes cannot be
 * reached. Follows `pkg/registry/core/pod/strategy.go` of Kubernetes v1.36.3. Throws 400, 404, 422 or 500.
 */
export async function connectPod(request: ResourceRequest, connection: Connection): Promise<ApiResponse> {
  if (connection !== 'log') await admitConnection(request, connection)
  const query = connection === 'log' ? checkLogOptions(request) : ''
  const { object } = get({ ...request, query: new URLSearchParams() })
  const pod = object as OpenObject
  const container = connection === 'portforward' ? '' : containerOf(request, pod)
  const node = textAt(pod, 'spec', 'nodeName')
  if (node !== '')
    throw unreachableError(request, { connection, address: addressOf(request, node), container, query })
  if (connection === 'log') return { status: 204, headers: {}, body: new Uint8Array() }
  throw badRequest(`pod ${request.target.name} does not have a host assigned`)
}

const optionKinds = { exec: execOptions, attach: attachOptions, portforward: portForwardOptions }
const streams = ['stdin', 'stdout', 'stderr', 'tty']

/** Asks the webhooks about a connection, before the pod is looked up. They cannot change its options. */
async function admitConnection(request: ResourceRequest, connection: Exclude<Connection, 'log'>) {
  const { query } = request
  const isStream = connection !== 'portforward'
  const options = {
    ...Object.fromEntries(
      streams.filter((name) => isStream && isTrueParameter(query.get(name))).map((name) => [name, true]),
    ),
    ...(query.has('container') && isStream ? { container: query.get('container') } : {}),
    ...(connection === 'exec' && query.has('command') ? { command: query.getAll('command') } : {}),
    ...(isStream ? {} : { ports: query.getAll('ports').map(Number) }),
  }
  const object = options as unknown as OpenObject
  await admitPart(request, { operation: 'CONNECT', kind: optionKinds[connection], object, dryRun: false })
}

/** The container of the request; a pod with one container needs no name. Throws 400. */
function containerOf({ target, query }: ResourceRequest, pod: OpenObject): string {
  const desired = query.get('container') ?? ''
  const names = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) =>
    namesIn(pod, field),
  )
  const [only = '', ...others] = namesIn(pod, 'containers')
  if (desired === '' && others.length === 0) return only
  if (desired === '') {
    const choice = `a container name must be specified for pod ${target.name}, choose one of: [${names.join(' ')}]`
    throw badRequest(choice)
  }
  if (names.includes(desired)) return desired
  throw badRequest(`container ${desired} is not valid for pod ${target.name}`)
}

function namesIn(pod: OpenObject, field: string): string[] {
  const containers = fieldAt(pod, 'spec', field)
  return Array.isArray(containers) ? containers.map((container) => textAt(container, 'name')) : []
}

/** The types of a node's addresses in order of preference. */
const preferred = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP']
const kubeletPort = 10250

/** The address of a node's kubelet. Throws 404 for a missing node, with the resource of a pod, and 500. */
function addressOf({ server, resource }: ResourceRequest, name: string): string {
  const node = server.find('nodes', '', name)
  if (node === undefined) throw notFound(resource, name)
  const addresses = fieldAt(node, 'status', 'addresses')
  const addressList = Array.isArray(addresses) ? addresses.map(recordOf) : []
  const host = preferred.map((type) => addressList.find((each) => each.type === type)?.address).find(Boolean)
  if (host === undefined) {
    const addressTexts = addressList
      .map(({ type, address }) => `{${String(type)} ${String(address)}}`)
      .join(' ')
    throw failure(500, `no preferred addresses found; known addresses: [${addressTexts}]`)
  }
  const port = fieldAt(node, 'status', 'daemonEndpoints', 'kubeletEndpoint', 'Port') || kubeletPort
  return `${String(host)}:${String(port)}`
}

interface Attempt {
  readonly connection: Connection
  readonly address: string
  readonly container: string
  /** The options of a log as the query for the kubelet. */
  readonly query: string
}

/** No node of this server runs a kubelet, so every connection is refused. */
function unreachableError(
  { target, headers }: ResourceRequest,
  { connection, address, container, query }: Attempt,
) {
  const dialing = `dial tcp ${address}: connect: connection refused`
  if (connection === 'log') {
    const url = `https://${address}/containerLogs/${target.namespace}/${target.name}/${container}${query}`
    return failure(500, `Get "${url}": ${dialing}`)
  }
  if (headers.upgrade === undefined) return badRequest('Upgrade request required')
  return failure(500, `error dialing backend: ${dialing}`)
}
