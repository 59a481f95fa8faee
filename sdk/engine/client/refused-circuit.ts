/**
 * Decides from a refusal whether other writes would be refused, too. It never searches a message for words: an API
 * server quotes what users wrote. It reads the text that the server itself puts at the start of the message, before
 * anything quoted.
 */
import { isForbidden, isTooManyRequests, isUnauthorized, type Status } from '../kube/error.js'
import type { Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { formatResource, type Resource, resourcePath } from '../kube/resource.js'
import type { TransportRequest } from '../transport/transport.js'

/** The properties of a write that decide which other writes would be refused for the same reason. */
export interface WriteSort {
  readonly method: TransportRequest['method']
  readonly resource: Resource
  /** The object that is written; the name is `''` where the server chooses it or where a collection is meant. */
  readonly key: Key
  /** The part of the object that is written; `''` for the object itself. */
  readonly subresource: string
  /** The object as it is sent, if one is sent. */
  readonly object?: KubeObject
}

/** The circuits that a write passes: for all writes, for its permission, and for a create the quota. */
export function circuitsOf(write: WriteSort): string[] {
  return ['all', permissionCircuit(write), ...(isCreate(write) ? [quotaCircuit(write)] : [])]
}

/** The circuit of the creates that share a quota. */
export function quotaCircuit({ resource, key }: WriteSort): string {
  return `quota ${resourcePath(resource, { namespace: key.namespace })}`
}

/** The circuit that a refusal may open; `undefined` if the refusal is about the object alone. */
export function refusedCircuit(write: WriteSort, error: unknown): string | undefined {
  // An eviction that would disturb an application is refused with 429, too.
  if (isTooManyRequests(error)) return write.subresource === '' && !isOfAdmission(error) ? 'all' : undefined
  if (isUnauthorized(error)) return isOfAdmission(error) ? undefined : 'all'
  if (!isForbidden(error)) return undefined
  const words = serverWords(write, error.status)
  if (isCreate(write) && words.startsWith('exceeded quota: ')) return quotaCircuit(write)
  return isMissingPermission(write, words) ? permissionCircuit(write) : undefined
}

const isCreate = ({ method, subresource }: WriteSort) => method === 'POST' && subresource === ''

function permissionCircuit({ method, resource, key, subresource }: WriteSort): string {
  const collection = resourcePath(resource, { namespace: key.namespace })
  return `${method} ${collection}${subresource && ` ${subresource}`}`
}

/**
 * Whether an admission plugin or webhook refused the write, which may answer with any code. The message of a webhook
 * begins with the webhook's name (`ToStatusErr` in `pkg/admission/plugin/webhook/errors/statuserror.go` @ apiserver
 * v0.34.0), and a policy's answer names the object. An overloaded server or an authenticator does not know the object
 * yet.
 */
function isOfAdmission({ message, status }: { message: string; status: Status }): boolean {
  return message.startsWith('admission webhook ') || Boolean(status.details?.name)
}

/**
 * The server's text after the words that name the object: `pods "web" is forbidden: `; `''` if the message names
 * another object.
 */
function serverWords({ resource, key, object }: WriteSort, { message = '' }: Status): string {
  const name = key.name || (object?.metadata.generateName ?? '')
  const subject = formatResource(resource)
  for (const start of [`${subject} is forbidden: `, `${subject} "${name}" is forbidden: `])
    if (message.startsWith(start)) return message.slice(start.length)
  return ''
}

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** Whether the refusal is the authorizer's sentence about this very call. The sentence begins with our user. */
function isMissingPermission({ method, resource, key, subresource }: WriteSort, words: string): boolean {
  const verb = method === 'DELETE' && key.name === '' ? 'deletecollection' : verbs[method]
  const resourcePath = subresource === '' ? resource.plural : `${resource.plural}/${subresource}`
  return (
    words.startsWith('User "') && words.includes(`" cannot ${verb} resource "${resourcePath}" in API group "`)
  )
}
