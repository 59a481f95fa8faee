import {
  configMaps,
  persistentVolumeClaims,
  secrets,
  serviceAccounts,
  services,
} from '../../../sdk/kube/builtin.js'
import type { Resource } from '../../../sdk/kube/resource.js'
import { looksLikeReference } from '../../../sdk/syncer/references/check-references.js'
import type { References } from '../../../sdk/syncer/references/reference-rules.js'
import type { JsonSchema } from './json-schema.js'

/** A field of a schema that names or selects other objects, with the rule for its copy. */
export interface SchemaReference {
  /** Path below the field; empty for the field itself. */
  below: readonly string[]
  rule: References[string]
  /** The SDK's name of the named resource, if it has one. */
  resource?: string
  /** The kind that an untranslated field names, if the schema says so. */
  names?: string
}

const known = { configMaps, persistentVolumeClaims, secrets, serviceAccounts, services } as const
type Known = keyof typeof known

/** Patterns for names of members, with the kind that such a member names; the first match counts. */
const byName: readonly [RegExp, Known][] = [
  [/(^|[a-z])configmap(name|ref|keyref|keyselector)?s?$/i, 'configMaps'],
  [/secret(name|ref|keyref|keyselector)?s?$/i, 'secrets'],
  [/^serviceaccount(name|ref)?s?$/i, 'serviceAccounts'],
  [/^(persistentvolume)?claim(name|ref)?s?$/i, 'persistentVolumeClaims'],
  [/service(name|ref)?s?$/i, 'services'],
]

/** Names of members that can reach nodes, namespaces or files of the host. */
const reachesHost =
  /^(host(path|network|pid|ipc)|node(name|selector)|.*namespace(selector)?|.*(token|cert|ca|key|credentials?)file)$/i

/** The reference of a field, by its name and schema; `undefined` if it is none. */
export function schemaReference(name: string, schema: JsonSchema): SchemaReference | undefined {
  if (reachesHost.test(name)) return { below: [], rule: 'refused' }
  if (isLabelSelector(schema)) return { below: [], rule: 'label-selector' }
  return objectReference(name, schema) ?? nameReference(name, schema) ?? lookalike(name, schema)
}

/** A reference that is an object with a name and perhaps a namespace: `secretRef`, a key selector, a reference by kind. */
function objectReference(name: string, schema: JsonSchema): SchemaReference | undefined {
  const { properties = {} } = schema
  if (properties.name?.type !== 'string') return undefined
  const isKeySelector =
    properties.key !== undefined && Object.keys(properties).every((one) => keyMembers.has(one))
  const kind =
    kindIn(properties.kind) ?? nameKindOf(name, schema) ?? (isKeySelector ? keyKind(schema) : undefined)
  if (kind) return named(kind, { below: ['name'], namespace: properties.namespace !== undefined })
  if (isKeySelector || looksLikeReference(name)) return { below: [], rule: 'refused' }
  const isReference =
    /refs?$/i.test(name) || (properties.kind !== undefined && properties.group !== undefined)
  return isReference
    ? { below: [], rule: 'plain', names: String(properties.kind?.default ?? 'another kind') }
    : undefined
}

const keyMembers: ReadonlySet<string> = new Set(['key', 'name', 'namespace', 'optional'])

/** A reference that is a name, or a list of names. */
function nameReference(name: string, { type, items }: JsonSchema): SchemaReference | undefined {
  const isList = type === 'array' && items?.type === 'string'
  if (type !== 'string' && !isList) return undefined
  const kind = /(name|ref)s?$|^serviceaccount$/i.test(name) ? nameKind(name) : undefined
  return kind && named(kind, { below: isList ? ['*'] : [], namespace: false })
}

/** A field that the SDK would reject at run time gets an explicit rule. */
function lookalike(name: string, { type, properties, items }: JsonSchema): SchemaReference | undefined {
  const isBranch = properties !== undefined || items?.properties !== undefined
  return looksLikeReference(name) && type !== 'boolean' && !isBranch
    ? { below: [], rule: 'refused' }
    : undefined
}

function named(name: Known, { below, namespace }: { below: string[]; namespace: boolean }): SchemaReference {
  const to: Resource = known[name]
  return { below, resource: name, rule: namespace ? { to, namespace: 'namespace' } : to }
}

const nameKind = (name: string): Known | undefined => byName.find(([form]) => form.test(name))?.[1]

/** The kind that a member's name suggests. A service with further members is described by the object, not referenced. */
function nameKindOf(name: string, { properties = {} }: JsonSchema): Known | undefined {
  const kind = nameKind(name)
  const isDescribed = Object.keys(properties).some((one) => !serviceMembers.has(one))
  return kind === 'services' && isDescribed ? undefined : kind
}

const serviceMembers: ReadonlySet<string> = new Set([
  'apiVersion',
  'group',
  'kind',
  'name',
  'namespace',
  'path',
  'port',
  'scheme',
  'weight',
])

/** The kind in a reference's own `kind` field, by its default or its only value. */
function kindIn(kind: JsonSchema | undefined): Known | undefined {
  const said = kind?.default ?? (kind?.enum?.length === 1 ? kind.enum[0] : undefined)
  const found = Object.entries(known).find(([, resource]) => resource.kind === said)
  return found?.[0] as Known | undefined
}

/** The kind of a key selector by its descriptions, because its name says only its purpose (`username`). */
function keyKind({ description = '', properties = {} }: JsonSchema): Known | undefined {
  const said = [description, properties.key?.description, properties.name?.description].join(' ')
  if (/secret/i.test(said)) return 'secrets'
  return /config\s?map/i.test(said) ? 'configMaps' : undefined
}

function isLabelSelector({ properties = {} }: JsonSchema): boolean {
  const names = Object.keys(properties)
  return names.length > 0 && names.every((name) => name === 'matchLabels' || name === 'matchExpressions')
}
