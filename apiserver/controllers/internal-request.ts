import { administrator } from '../access/authorizer.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { ResourceRequest, ServerParts } from '../server/context.js'

const noQuery = new URLSearchParams()

/** The object that the server itself changes. */
export interface InternalTarget {
  readonly resource: ServedResource
  readonly namespace?: string
  readonly name?: string
  readonly subresource?: string
  /** The program in whose name the change is made; default `kube-controller-manager`. */
  readonly caller?: string
}

/** A request of the server to itself, so that its controllers follow the same rules as other clients. */
export function internalRequest(
  server: ServerParts,
  {
    resource,
    namespace = '',
    name = '',
    subresource = '',
    caller = 'kube-controller-manager',
  }: InternalTarget,
): ResourceRequest {
  const { group, version, plural } = resource
  return {
    server,
    reads: server.store,
    resource,
    target: { group, version, plural, namespace, name, subresource },
    query: noQuery,
    headers: { 'user-agent': caller },
    body: undefined,
    user: administrator,
    signal: undefined,
    warnings: [],
    repeatedKeys: [],
  }
}
