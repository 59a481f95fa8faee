/**
 * The table of the forms by which public APIs of Kubernetes refer to other objects. The check of copies and `create`
 * both use it, so that a generated syncer has a rule for each field that would be refused.
 *
 * A name in one of these fields that is not translated would mean an object of the host, which may belong to the
 * vcluster itself, or to another tenant.
 */

import { isJsonObject } from '../../../engine/kube/json-object.js'

/** A kind to which fields refer by names that contain the name of the kind. */
export type ReferenceKind =
  | 'configMaps'
  | 'secrets'
  | 'serviceAccounts'
  | 'persistentVolumeClaims'
  | 'services'

const suffix = '(?:[-_]?(?:names?|(?:key)?(?:refs?|references?|selectors?)))?'

/** Names of members, with the kind that such a member names; the first that matches counts. */
const namedKinds: readonly (readonly [RegExp, ReferenceKind])[] = [
  [new RegExp(`(?:^|[a-z_.-])config[-_]?maps?${suffix}$`, 'i'), 'configMaps'],
  [new RegExp(`secrets?${suffix}$`, 'i'), 'secrets'],
  [/^credentials?name$/i, 'secrets'],
  [new RegExp(`service[-_]?accounts?${suffix}$`, 'i'), 'serviceAccounts'],
  [
    new RegExp(`^(?:persistentvolume)?claims?${suffix}$|volumeclaims?${suffix}$`, 'i'),
    'persistentVolumeClaims',
  ],
  [/services?(?:names?|refs?|references?)?$/i, 'services'],
]

/** Members that reach namespaces, nodes or files of the host, whatever they hold. */
export const reachesHost =
  /^(?:host(?:network|pid|ipc)|.*hostpath|node(?:name|selector)|.*namespaces?(?:selector)?|.*(?:token|cert|ca|key|credentials?)file)$/i

/** Names of members that always refer to another object, whatever they hold. */
const alwaysRefers =
  /(?:secret|configmap|serviceaccount|claim)(?:name|ref|keyref)s?$|^serviceaccount$|^imagepullsecrets?$|selector$/i

/** Names of references whose kind is not in the name. Revisions of repositories and addresses are not references. */
const refersToAny = /(?:^(?!git|commit|image|branch|tag)[a-zA-Z]*[a-z]Ref(?:erence)?s?$)|[a-z]-refs?$/

const serviceName = /service(?:names?|refs?|references?)$/i

/** The members of a reference to a Service; an object with other members describes a Service. */
export const serviceMembers: ReadonlySet<string> = new Set([
  ...['apiVersion', 'group', 'kind', 'name', 'namespace', 'path', 'port', 'scheme', 'weight'],
])

/** The members of a key of a Secret or ConfigMap, such as `password: { name, key }`. */
export const keyMembers: ReadonlySet<string> = new Set(['key', 'name', 'namespace', 'optional'])

/** The kind to which a member refers by its name. */
export function referenceKind(name: string): ReferenceKind | undefined {
  return namedKinds.find(([form]) => form.test(name))?.[1]
}

/**
 * Whether a field refers to another object, or reaches the host, by its name and its value. An element of a list has no
 * name.
 */
export function looksLikeReference(name: string | undefined, value: unknown): boolean {
  if (isJsonObject(value) && refersByMembers(value)) return true
  if (name === undefined) return false
  const { always, kind, any } = meaningOf(name)
  if (always) return true
  if (typeof value === 'number' || typeof value === 'boolean') return false
  if (kind === 'services') return namesService(name, value)
  if (kind === 'secrets' || kind === 'configMaps') return hasNames(value) || isMapOfNames(value)
  return (kind !== undefined || any) && hasNames(value)
}

/** The meaning of the name of a member. */
interface NameMeaning {
  /** The member refers to something, or reaches the host, whatever it holds. */
  readonly always: boolean
  readonly kind: ReferenceKind | undefined
  /** The member may name objects of any kind. */
  readonly any: boolean
}

/**
 * The known meanings of names. Objects of a kind have the same few names. Tenants choose some names, so the number and
 * the length are limited.
 */
const meanings = new Map<string, NameMeaning>()
const maxMeanings = 2000
const maxNameLength = 100

function meaningOf(name: string): NameMeaning {
  const cached = meanings.get(name)
  if (cached) return cached
  const always = reachesHost.test(name) || alwaysRefers.test(name)
  const meaning = { always, kind: referenceKind(name), any: refersToAny.test(name) }
  if (name.length > maxNameLength) return meaning
  if (meanings.size >= maxMeanings) meanings.clear()
  meanings.set(name, meaning)
  return meaning
}

/** Whether the value names a Service: a text by the name of its member, or an object that has only known members. */
function namesService(name: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.some((element) => namesService(name, element))
  if (!isJsonObject(value)) return isText(value) && serviceName.test(name)
  return isText(value.name) && Object.keys(value).every((member) => serviceMembers.has(member))
}

/** A name, a list of names, or an object with a name. */
function hasNames(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasNames)
  return isJsonObject(value) ? isText(value.name) : isText(value)
}

/** A map of names, such as `secrets: { database: NAME }`. */
function isMapOfNames(value: unknown): boolean {
  const members = isJsonObject(value) ? Object.values(value) : []
  return members.length > 0 && members.every(isText)
}

/** `{ kind, name }` of an object, and `{ name, key }` of a Secret or ConfigMap. */
function refersByMembers(value: Readonly<Record<string, unknown>>): boolean {
  if (!isText(value.name)) return false
  if (isText(value.kind) && /^[A-Z]/.test(value.kind)) return true
  return isText(value.key) && Object.keys(value).every((member) => keyMembers.has(member))
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
