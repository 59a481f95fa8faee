/**
 * The attributes of a request: a verb and a resource or a path, as an API server reads them from method and
 * path (`pkg/endpoints/request/requestinfo.go` of k8s.io/apiserver v0.36.3).
 */
export type RequestAttributes = ResourceAttributes | PathAttributes

/** A verb on a resource, on one of its objects, or on a part of an object. */
export interface ResourceAttributes {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection` or `proxy`. */
  readonly verb: string
  /** The API group; `''` for the core group. */
  readonly group: string
  readonly version: string
  /** The plural name. */
  readonly resource: string
  /** The part of the object; `''` for the object itself. */
  readonly subresource: string
  /** The namespace; `''` if the request names none. */
  readonly namespace: string
  /** The name of the object; `''` for a collection. */
  readonly name: string
}

/** A method on a path that is not a resource. */
export interface PathAttributes {
  /** The method in lower case. */
  readonly verb: string
  readonly path: string
}

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** Reads a request's method and URL. */
export function requestAttributes({ method, url }: Pick<Request, 'method' | 'url'>): RequestAttributes {
  const { pathname, searchParams } = new URL(url)
  // Decoded before it is split, as an API server does it: an encoded slash divides segments too.
  const path = decoded(pathname)
  const [root = '', ...segments] = path.split('/').filter(Boolean)
  const [version = '', ...targetSegments] = root === 'apis' ? segments.slice(1) : segments
  if (!['api', 'apis'].includes(root) || targetSegments.length === 0)
    return { verb: method.toLowerCase(), path }
  const legacyVerb =
    ['watch', 'proxy'].includes(targetSegments[0] ?? '') && targetSegments.length > 1
      ? targetSegments.shift()
      : undefined
  const group = root === 'apis' ? (segments[0] ?? '') : ''
  const target = targetOf(targetSegments)
  if (target.resource === '') return { verb: method.toLowerCase(), path }
  return withCollectionVerb(
    { verb: legacyVerb ?? verbs[method] ?? '', group, version, ...target },
    searchParams,
  )
}

/** Reads namespace, resource, name and subresource from the segments of a path behind group and version. */
function targetOf(
  parts: readonly string[],
): Pick<ResourceAttributes, 'namespace' | 'resource' | 'name' | 'subresource'> {
  const [first = '', second = '', third = ''] = parts
  const isNamespaceSubresource = ['finalize', 'status'].includes(third) && parts.length === 3
  const isInNamespace = first === 'namespaces' && third !== '' && !isNamespaceSubresource
  const [resource = '', name = '', subresource = ''] = isInNamespace ? parts.slice(2) : parts
  const namespace = first === 'namespaces' ? second : ''
  return { namespace, resource, name, subresource }
}

/** Gives requests without a name the verb for a collection. A list may name a single object by a field selector. */
function withCollectionVerb(attributes: ResourceAttributes, query: URLSearchParams): ResourceAttributes {
  if (attributes.name !== '') return attributes
  if (attributes.verb === 'delete') return { ...attributes, verb: 'deletecollection' }
  if (attributes.verb !== 'get') return attributes
  const [, name = ''] = /(?:^|,)metadata\.name==?([^,]+)/.exec(query.get('fieldSelector') ?? '') ?? []
  return { ...attributes, name, verb: isWatch(query.get('watch')) ? 'watch' : 'list' }
}

const isWatch = (value: string | null) => value !== null && !['false', '0'].includes(value.toLowerCase())

/** Decodes a path. Bytes that are not UTF-8 become U+FFFD, and a percent sign without two digits stays. */
function decoded(pathname: string): string {
  return pathname.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  )
}
