import { isJsonObject } from '../kube/json-object.js'
import { formatKey, type Key } from '../kube/key.js'
import type { KubeObject, ObjectMeta } from '../kube/object.js'
import { apiVersionOf, type Resource } from '../kube/resource.js'
import { plain } from './unexpected-answer.js'

/** The object that a call requested. */
export interface RequestedObject {
  readonly resource: Resource
  /** The name is `''` if the server chooses it, or if the object has no name, such as a review. */
  readonly key: Key
  /** The part of the object; `''` for the object itself. */
  readonly subresource?: string
  /** The prefix of a name that the server chooses. */
  readonly generateName?: string | undefined
  /** The UID of the object, if it is known. */
  readonly uid?: string | undefined
}

/** Subresources whose answer is the object itself; other subresources have their own kinds. */
const partsOfObject: ReadonlySet<string> = new Set(['', 'status'])

type UncheckedObject = { readonly [member: string]: unknown }

/**
 * Why an answer is not the requested object; `undefined` if it is. The client checks each answer, because a proxy may
 * answer in place of the API server.
 */
export function objectProblem(requested: RequestedObject, answer: object): string | undefined {
  const { apiVersion, kind, metadata } = answer as UncheckedObject
  if (!partsOfObject.has(requested.subresource ?? '')) return partProblem(requested, answer)
  const { resource } = requested
  if (kind !== resource.kind || apiVersion !== apiVersionOf(resource))
    return `which is ${typeOf(answer)} and not ${apiVersionOf(resource)} ${resource.kind}`
  return isJsonObject(metadata) ? identityProblem(requested, metadata) : 'which is an object without metadata'
}

/** Why an answer does not confirm that the requested object was deleted; `undefined` if it does. */
export function deletionProblem(requested: RequestedObject, answer: object): string | undefined {
  const { kind, status, details } = answer as UncheckedObject
  if (kind !== 'Status') return objectProblem(requested, answer)
  if (status !== 'Success') return 'which is a Status without success'
  return isJsonObject(details) &&
    requested.uid !== undefined &&
    (details.uid ?? requested.uid) !== requested.uid
    ? 'which tells of an object with another uid'
    : undefined
}

/** Why an answer is not a list of a kind; `undefined` if it is. */
export function listProblem(resource: Resource, answer: unknown): string | undefined {
  if (!isJsonObject(answer)) return 'which is not a JSON object'
  const { apiVersion = apiVersionOf(resource), kind = `${resource.kind}List`, metadata, items } = answer
  // A custom kind may have named its lists otherwise.
  const isOfKind = resource.group.includes('.') ? kind !== 'Status' : kind === `${resource.kind}List`
  if (!isOfKind || apiVersion !== apiVersionOf(resource))
    return `which is ${typeOf(answer)} and not a list of ${apiVersionOf(resource)} ${resource.kind}`
  // An empty list is written as `[]`, by Go at times as `null`; accepting an answer without items would empty a store.
  if (!isJsonObject(metadata) || !(items === null || Array.isArray(items)))
    return 'which is a list without metadata or items'
  return undefined
}

/**
 * Why an answer does not confirm the delete of a collection; `undefined` if it does. The answer is a list of the
 * deleted objects, or a Status.
 */
export function collectionDeletionProblem(resource: Resource, answer: object): string | undefined {
  const { kind, status } = answer as UncheckedObject
  if (kind !== 'Status') return listProblem(resource, answer)
  return status === 'Success' ? undefined : 'which is a Status without success'
}

/**
 * Why an answer is not the requested subresource. Answers of `scale`, `eviction`, `token` and others have their own
 * kinds; some name the object.
 */
function partProblem({ key, subresource }: RequestedObject, answer: object): string | undefined {
  const { apiVersion, kind, status, metadata } = answer as UncheckedObject
  if (!isText(apiVersion) || !isText(kind)) return `which is ${typeOf(answer)} and no object`
  if (kind === 'Status' && status !== 'Success') return 'which is a Status without success'
  const name = isJsonObject(metadata) ? (metadata.name ?? key.name) : key.name
  return name === key.name ? undefined : `which is the ${subresource} of another object`
}

/** Why an object of the requested kind is not the requested one; `undefined` if it is. */
function identityProblem(requested: RequestedObject, metadata: UncheckedObject): string | undefined {
  const { resource, key, generateName = '', uid } = requested
  const { name = '', namespace = '', uid: answeredUid }: ObjectMeta = metadata
  const isNamed = key.name === '' ? name.startsWith(generateName) : name === key.name
  if (!isNamed || namespace !== (resource.namespaced ? key.namespace : ''))
    return `which is ${resource.kind} ${plain(formatKey({ namespace, name })) ?? 'with another name'}`
  return uid !== undefined && answeredUid !== uid
    ? 'which is an object of that name with another uid'
    : undefined
}

/** The type that a JSON object declares. */
function typeOf(answer: object): string {
  const { apiVersion, kind } = answer as Partial<KubeObject>
  const type = [plain(apiVersion), plain(kind)].filter((text) => text !== undefined).join(' ')
  return type === '' ? 'JSON without apiVersion and kind' : type
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''
