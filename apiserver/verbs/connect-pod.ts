import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import type { ApiResponse } from '../request/request.js'
import { badRequest, failure, notFound } from '../request/status.js'
import type { ResourceRequest } from '../server/context.js'
import { get } from './get.js'
import { checkLogOptions } from './log-options.js'

/** Where a request about a pod would go on: on the kubelet of its node. */
type Connection = 'log' | 'exec' | 'attach' | 'portforward'

const CONNECTIONS: readonly string[] = ['log', 'exec', 'attach', 'portforward'] satisfies Connection[]

/** Whether a part of a pod is one that its node serves. */
export function isConnection(subresource: string): subresource is Connection {
  return CONNECTIONS.includes(subresource)
}

/**
 * What a kube-apiserver answers where no kubelet is: there is nothing to read of a pod without a node, and no node can
 * be reached. Follows `pkg/registry/core/pod/strategy.go` of Kubernetes v1.36.3. Throws 400, 404, 422 or 500.
 */
export function connectPod(request: ResourceRequest, connection: Connection): ApiResponse {
  const query = connection === 'log' ? checkLogOptions(request) : ''
  const { object } = get({ ...request, query: new URLSearchParams() })
  const pod = object as OpenObject
  const container = connection === 'portforward' ? '' : containerOf(request, pod)
  const node = textAt(pod, 'spec', 'nodeName')
  if (node !== '')
    throw unreachable(request, { connection, address: addressOf(request, node), container, query })
  if (connection === 'log') return { status: 204, headers: {}, body: new Uint8Array() }
  throw badRequest(`pod ${request.target.name} does not have a host assigned`)
}

/** The container that is meant; a pod with one container needs no name. Throws 400. */
function containerOf({ target, query }: ResourceRequest, pod: OpenObject): string {
  const wanted = query.get('container') ?? ''
  const names = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) =>
    namesIn(pod, field),
  )
  const [only = '', ...others] = namesIn(pod, 'containers')
  if (wanted === '' && others.length === 0) return only
  if (wanted === '') {
    const choice = `a container name must be specified for pod ${target.name}, choose one of: [${names.join(' ')}]`
    throw badRequest(choice)
  }
  if (names.includes(wanted)) return wanted
  throw badRequest(`container ${wanted} is not valid for pod ${target.name}`)
}

function namesIn(pod: OpenObject, field: string): string[] {
  const containers = fieldAt(pod, 'spec', field)
  return Array.isArray(containers) ? containers.map((container) => textAt(container, 'name')) : []
}

/** The kinds of addresses of a node, the first that it has is taken. */
const PREFERRED = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP']
const KUBELET_PORT = 10250

/** Where the kubelet of a node would be. Throws 404 for a node that is not there, as if it were a pod, and 500. */
function addressOf({ server, resource }: ResourceRequest, name: string): string {
  const node = server.find('nodes', '', name)
  if (node === undefined) throw notFound(resource, name)
  const addresses = fieldAt(node, 'status', 'addresses')
  const known = Array.isArray(addresses) ? addresses.map(recordOf) : []
  const host = PREFERRED.map((type) => known.find((each) => each.type === type)?.address).find(Boolean)
  if (host === undefined) {
    const shown = known.map(({ type, address }) => `{${String(type)} ${String(address)}}`).join(' ')
    throw failure(500, `no preferred addresses found; known addresses: [${shown}]`)
  }
  const port = fieldAt(node, 'status', 'daemonEndpoints', 'kubeletEndpoint', 'Port') || KUBELET_PORT
  return `${String(host)}:${String(port)}`
}

interface Attempt {
  readonly connection: Connection
  readonly address: string
  readonly container: string
  /** The options of a log as the kubelet would be told them. */
  readonly query: string
}

/** No node of this server runs a kubelet, so that nobody answers there. */
function unreachable(
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
