import { ADMINISTRATOR } from '../access/authorizer.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { ResourceRequest, ServerParts } from '../server/context.js'

const NO_QUERY = new URLSearchParams()

/** Which object the server itself is about to change. */
export interface InternalTarget {
  readonly resource: ServedResource
  readonly namespace?: string
  readonly name?: string
  readonly subresource?: string
  /** As which program the change is made; default `kube-controller-manager`. */
  readonly caller?: string
}

/** A request that the server makes of itself, so that its controllers obey the same rules as everyone. */
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
    query: NO_QUERY,
    headers: { 'user-agent': caller },
    body: undefined,
    user: ADMINISTRATOR,
    signal: undefined,
    warnings: [],
    repeatedKeys: [],
  }
}
