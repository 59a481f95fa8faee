import type { Side } from '../../sdk/context/register-context.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { TransportRequest } from '../../sdk/transport/transport.js'

/** What a request is about. */
export interface CallTarget {
  /** The path of all objects of the kind, for example `/api/v1/configmaps`. */
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

/** A write of the plugin that the server has answered. */
export interface Write {
  /** Which one, from 1 on. */
  readonly n: number
  /** Which call it was, reads counted, too. */
  readonly call: number
  readonly cluster: Side
  readonly method: TransportRequest['method']
  readonly target: CallTarget
  readonly status: number
  /** The object before; undefined where there was none. */
  readonly before: KubeObject | undefined
  /** The UID that a delete is bound to. */
  readonly preconditionUid: string | undefined
}

/** Reads a path below `/api` or `/apis`; undefined for any other, such as discovery. */
export function targetOf(path: string): CallTarget | undefined {
  const [plain = ''] = path.split('?')
  const parts = plain.split('/').map(decodeURIComponent)
  const depth = parts[1] === 'api' ? 3 : 4
  const root = parts.slice(0, depth).join('/')
  const rest = parts.slice(depth)
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2
  const namespace = isNamespaced ? (rest[1] ?? '') : ''
  const [plural = '', name = '', subresource = ''] = isNamespaced ? rest.slice(2) : rest
  if (plural === '') return undefined
  return { collection: `${root}/${plural}`, plural, namespace, name, subresource }
}

/** The path of the object that a call is about. */
export function objectPath({ collection, plural, namespace, name }: CallTarget): string {
  const root = collection.slice(0, -plural.length)
  return `${root}${namespace && `namespaces/${namespace}/`}${plural}/${name}`
}

/** Whether a request changes anything. */
export function isWrite({ method, path }: Pick<TransportRequest, 'method' | 'path'>): boolean {
  return method !== 'GET' && !path.includes('dryRun=')
}

/** A write in words: `update host configmaps vcluster-vc/greeting-x-default-x-vc`. */
export function describeWrite({ cluster, method, target, status }: Write): string {
  const { plural, namespace, name, subresource } = target
  const object = [namespace, name].filter((part) => part !== '').join('/')
  const refused = status >= 300 ? ` (${status})` : ''
  return `${verbs[method]} ${cluster} ${plural} ${object}${subresource && `/${subresource}`}${refused}`
}

const verbs = { GET: 'get', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }

/** The target with the name that a create gave its object. */
export function namedTarget(target: CallTarget, answer: KubeObject | undefined): CallTarget {
  return target.name === '' ? { ...target, name: answer?.metadata?.name ?? '' } : target
}
