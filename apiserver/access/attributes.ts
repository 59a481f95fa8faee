import { ownEntry } from '../base/own-entry.js'
import { isTrueParameter } from '../request/query.js'
import type { UserInfo } from '../request/request.js'
import type { RequestInfo, ResourceTarget } from '../request/request-info.js'

/** The attributes of a request for a resource: a user, a verb and a resource. */
export interface ResourceAttributes {
  readonly user: UserInfo
  readonly verb: string
  readonly group: string
  /** The plural. */
  readonly resource: string
  /** `''` for the object itself. */
  readonly subresource: string
  /** `''` for all namespaces, or where there are none. */
  readonly namespace: string
  /** `''` for a whole collection. */
  readonly name: string
}

/** The attributes of a request for a path that is not a resource. */
export interface PathAttributes {
  readonly user: UserInfo
  /** The method in lower case. */
  readonly verb: string
  readonly path: string
}

/** The attributes of a request for authorization. */
export type Attributes = ResourceAttributes | PathAttributes

/** Whether the attributes are of a path that is not a resource. */
export function isPath(attributes: Attributes): attributes is PathAttributes {
  return 'path' in attributes
}

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/**
 * The attributes of a request for authorization; follows `pkg/endpoints/request/requestinfo.go` of k8s.io/apiserver
 * v0.36.3. A list or watch that selects one name has that name, so that rules with `resourceNames` allow it. A delete
 * of a collection, and a watch by a path below `/watch/`, have no name.
 */
export function attributesOf(
  method: string,
  { path, query, target, isWatchPath }: RequestInfo,
  user: UserInfo,
): Attributes {
  if (target === undefined) return { user, verb: method.toLowerCase(), path }
  const verb = isWatchPath === true && method === 'GET' ? 'watch' : (ownEntry(verbs, method) ?? '')
  const isCollection = target.name === ''
  return {
    user,
    verb: isCollection ? collectionVerb(verb, query) : verb,
    group: target.group,
    resource: target.plural,
    subresource: target.subresource.split('/', 1)[0] ?? '',
    namespace: namespaceOf(target),
    name: isCollection && verb === 'get' ? selectedName(query) : target.name,
  }
}

function collectionVerb(verb: string, query: URLSearchParams): string {
  if (verb === 'delete') return 'deletecollection'
  if (verb !== 'get') return verb
  return isTrueParameter(query.get('watch')) ? 'watch' : 'list'
}

/** The namespace of a Namespace object is its own name, so that a Role in a namespace can allow access to that one. */
function namespaceOf({ group, plural, namespace, name }: ResourceTarget): string {
  return group === '' && plural === 'namespaces' ? name : namespace
}

function selectedName(query: URLSearchParams): string {
  const terms = (query.get('fieldSelector') ?? '').split(',')
  const names = terms.map((term) => /^metadata\.name==?(.+)$/.exec(term)?.[1])
  const name = names.find((each) => each !== undefined) ?? ''
  return isPathSegment(name) ? name : ''
}

/** Whether a path can contain the name as one segment; `IsPathSegmentName` of k8s.io/apimachinery v0.36.3. */
const isPathSegment = (name: string) => name !== '.' && name !== '..' && !/[/%]/.test(name)
