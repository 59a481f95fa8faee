import type { TransportRequest } from '../../sdk/engine/transport/transport.js'

/** The object or collection that a request is for. */
export interface RequestTarget {
  /** The path of all objects of the kind in all namespaces, for example `/api/v1/configmaps`. */
  readonly collection: string
  /** The lower-case plural, for example `configmaps`. */
  readonly plural: string
  /** `''` for a cluster-scoped object. */
  readonly namespace: string
  /** `''` for a create or a list. */
  readonly name: string
  /** `''` for the object itself. */
  readonly subresource: string
}

/** Parses a path below `/api` or `/apis`; undefined for other paths, for example discovery. */
export function targetOf(path: string): RequestTarget | undefined {
  const [plain = ''] = path.split('?')
  const segments = plain.split('/').map(decodeURIComponent)
  const depth = segments[1] === 'api' ? 3 : 4
  const root = segments.slice(0, depth).join('/')
  const rest = segments.slice(depth)
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2
  const namespace = isNamespaced ? (rest[1] ?? '') : ''
  const [plural = '', name = '', subresource = ''] = isNamespaced ? rest.slice(2) : rest
  if (plural === '') return undefined
  return { collection: `${root}/${plural}`, plural, namespace, name, subresource }
}

/** The path of the object that a target names. */
export function targetPath({ collection, plural, namespace, name }: RequestTarget): string {
  const root = collection.slice(0, -plural.length)
  return `${root}${namespace && `namespaces/${namespace}/`}${plural}/${name}`
}

/** Whether a request can change an object. */
export function isWrite({ method, path }: Pick<TransportRequest, 'method' | 'path'>): boolean {
  return method !== 'GET' && !path.includes('dryRun=')
}
