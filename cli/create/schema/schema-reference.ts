import {
  configMaps,
  persistentVolumeClaims,
  secrets,
  serviceAccounts,
  services,
} from '../../../sdk/engine/kube/builtin.js'
import type { Resource } from '../../../sdk/engine/kube/resource.js'
import type { ReferenceRule } from '../../../sdk/vcluster/syncer/references/reference-rules.js'
import {
  keyMembers,
  looksLikeReference,
  type ReferenceKind,
  reachesHost,
  referenceKind,
  serviceMembers,
} from '../../../sdk/vcluster/syncer/references/reference-shapes.js'
import type { OpenApiSchema } from './json-schema.js'
import { likelyValue } from './likely-value.js'

/** A field of a schema that names or selects other objects, with the rule for its copy. */
export interface SchemaReference {
  /** Path below the field; empty for the field itself. */
  below: readonly string[]
  rule: ReferenceRule
  /** The SDK's name of the named resource, if it has one. */
  resource?: string
  /** The members below the field that are refused. */
  refused?: readonly string[]
}

const knownResources: Readonly<Record<ReferenceKind, Resource>> = {
  configMaps,
  persistentVolumeClaims,
  secrets,
  serviceAccounts,
  services,
}

/** The reference of a field, by its name and schema; `undefined` if it is none. */
export function schemaReference(name: string, schema: OpenApiSchema): SchemaReference | undefined {
  if (reachesHost.test(name)) return { below: [], rule: 'refused' }
  if (isLabelSelector(schema)) return { below: [], rule: 'label-selector' }
  return objectReference(name, schema) ?? nameReference(name, schema) ?? explicitRule(name, schema)
}

/**
 * A reference that is an object with a name and perhaps a namespace: `secretRef`, a key selector, a reference by kind.
 */
function objectReference(name: string, schema: OpenApiSchema): SchemaReference | undefined {
  const { properties = {} } = schema
  if (properties.name?.type !== 'string') return undefined
  const isKeySelector =
    properties.key !== undefined && Object.keys(properties).every((name) => keyMembers.has(name))
  const kind =
    kindOfField(properties.kind) ??
    kindOfName(name, schema) ??
    (isKeySelector ? kindOfKeySelector(schema) : undefined)
  if (kind) return namedReference(kind, { below: ['name'], hasNamespace: properties.namespace !== undefined })
  if (isKeySelector) return { below: [], rule: 'refused' }
  const isReference =
    /refs?$/i.test(name) || (properties.kind !== undefined && properties.group !== undefined)
  return isReference
    ? {
        below: properties.namespace === undefined ? [] : ['name'],
        rule: 'plain',
        // An object of the same name in another namespace of the host is not one that tenants were meant to name.
        ...(properties.namespace !== undefined && { refused: ['namespace'] }),
      }
    : undefined
}

/** A reference that is a name, or a list of names. */
function nameReference(name: string, { type, items }: OpenApiSchema): SchemaReference | undefined {
  const isList = type === 'array' && items?.type === 'string'
  if (type !== 'string' && !isList) return undefined
  const kind = /(name|ref|secret|configmap)s?$|^serviceaccount$/i.test(name) ? referenceKind(name) : undefined
  return kind && namedReference(kind, { below: isList ? ['*'] : [], hasNamespace: false })
}

/** A field that would be refused at run time gets an explicit rule. */
function explicitRule(name: string, schema: OpenApiSchema): SchemaReference | undefined {
  return looksLikeReference(name, likelyValue(schema)) ? { below: [], rule: 'refused' } : undefined
}

/** A reference to a kind that the SDK can copy. `hasNamespace`: the namespace of the object is next to its name. */
function namedReference(
  name: ReferenceKind,
  { below, hasNamespace }: { below: string[]; hasNamespace: boolean },
): SchemaReference {
  const to: Resource = knownResources[name]
  return { below, resource: name, rule: hasNamespace ? { to, namespace: 'namespace' } : to }
}

/**
 * The kind that a member's name suggests. A service with further members is described by the object, not referenced.
 */
function kindOfName(name: string, { properties = {} }: OpenApiSchema): ReferenceKind | undefined {
  const kind = referenceKind(name)
  const isDescribed = Object.keys(properties).some((name) => !serviceMembers.has(name))
  return kind === 'services' && isDescribed ? undefined : kind
}

/** The kind in a reference's own `kind` field, by its default or its only value. */
function kindOfField(kind: OpenApiSchema | undefined): ReferenceKind | undefined {
  const kindName = kind?.default ?? (kind?.enum?.length === 1 ? kind.enum[0] : undefined)
  const knownEntry = Object.entries(knownResources).find(([, resource]) => resource.kind === kindName)
  return knownEntry?.[0] as ReferenceKind | undefined
}

/** The kind of a key selector by its descriptions, because its name says only its purpose (`username`). */
function kindOfKeySelector({ description = '', properties = {} }: OpenApiSchema): ReferenceKind | undefined {
  const descriptions = [description, properties.key?.description, properties.name?.description].join(' ')
  if (/secret/i.test(descriptions)) return 'secrets'
  return /config\s?map/i.test(descriptions) ? 'configMaps' : undefined
}

function isLabelSelector({ properties = {} }: OpenApiSchema): boolean {
  const names = Object.keys(properties)
  return names.length > 0 && names.every((name) => name === 'matchLabels' || name === 'matchExpressions')
}
