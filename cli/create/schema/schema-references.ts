import { markerLabel, releaseLabel } from '../../../sdk/vcluster/naming/ownership-keys.js'
import { podMembers, podReferences } from '../../../sdk/vcluster/syncer/references/pod-references.js'
import type { ReferenceRule, References } from '../../../sdk/vcluster/syncer/references/reference-rules.js'
import { contentSchemas } from './content-schemas.js'
import type { OpenApiSchema } from './json-schema.js'
import { referencePath, type SchemaPath, schemasBelow } from './schema-path.js'
import { schemaReference } from './schema-reference.js'

/** A reference rule of the generated syncer, and its origin. */
export interface FoundReference {
  path: string
  segments: SchemaPath
  rules: References
  /** The SDK's name of the named resource. */
  resource?: string
  /** The kind that an untranslated reference names. */
  names?: string
  /** For a Pod specification, the members that a Pod does not have. */
  members?: readonly string[]
}

/** The references to other objects in a kind's schema, in the schema's order. */
export function schemaReferences(schema: OpenApiSchema, { namespaced = true } = {}): FoundReference[] {
  const found = contentSchemas(schema).flatMap(([name, field]) => referencesIn(field, [name]))
  return namespaced ? found : found.map(withKnownNamespace)
}

/** Rejects names without a namespace in a cluster-scoped kind, because it has no namespace to resolve them in. */
function withKnownNamespace(found: FoundReference): FoundReference {
  const { resource, ...rest } = found
  const rule = found.rules[found.path]
  const isSaid = typeof rule === 'object' && 'to' in rule
  return !resource || isSaid ? found : { ...rest, rules: { [found.path]: 'refused' } }
}

function referencesIn(schema: OpenApiSchema, at: SchemaPath): FoundReference[] {
  if (isPodSpec(schema)) return podSpecReferences(schema, at)
  if (isPodTemplate(schema)) return [...refusedLabels(at), ...below(schema, at)]
  const found = at.length > 1 ? foundAt(schema, at) : []
  return found.length > 0 ? found : below(schema, at)
}

const below = (schema: OpenApiSchema, at: SchemaPath) =>
  schemasBelow(schema).flatMap(([name, field]) => referencesIn(field, [...at, name]))

/** The reference at a path, and what is refused next to it; an element has the name of its list. */
function foundAt(schema: OpenApiSchema, at: SchemaPath): FoundReference[] {
  const name = at.findLast((segment) => segment !== '*') ?? ''
  const reference = schemaReference(name, schema)
  if (!reference) return []
  const { below, rule, resource, names, refused = [] } = reference
  const found = foundReference([...at, ...below], rule)
  return [
    { ...found, ...(resource && { resource }), ...(names && { names }) },
    ...refused.map((member) => foundReference([...at, member], 'refused')),
    ...(refused.length > 0 ? otherReferences(schema, at, [...reference.below, ...refused]) : []),
  ]
}

/** The references in the other members of a reference whose rules cover only the `known` members. */
function otherReferences(schema: OpenApiSchema, at: SchemaPath, known: readonly string[]): FoundReference[] {
  const others = schemasBelow(schema).filter(([name]) => !known.includes(name))
  return others.flatMap(([name, field]) => referencesIn(field, [...at, name]))
}

function foundReference(segments: SchemaPath, rule: ReferenceRule): FoundReference {
  const path = referencePath(segments)
  return { path, segments, rules: { [path]: rule } }
}

function isPodSpec({ properties = {} }: OpenApiSchema): boolean {
  return properties.containers?.items?.properties?.image !== undefined
}

const isPodTemplate = ({ properties = {} }: OpenApiSchema) =>
  properties.metadata !== undefined && properties.spec !== undefined && isPodSpec(properties.spec)

/** The references of a Pod specification, and of members that a Pod does not have. */
function podSpecReferences(schema: OpenApiSchema, at: SchemaPath): FoundReference[] {
  const path = referencePath(at)
  const own = schemasBelow(schema).filter(([name]) => !podMembers.includes(name))
  const members = own.map(([name]) => name)
  const rules = podReferences(path, { members })
  const inOwn = own.flatMap(([name, field]) => referencesIn(field, [...at, name]))
  return [{ path, segments: at, rules, members }, ...inOwn]
}

/** Rules against labels that would add host Pods to the vcluster's own Service, or mark them as copies of its Pods. */
function refusedLabels(at: SchemaPath): FoundReference[] {
  return [releaseLabel, markerLabel].map((label) => {
    return foundReference([...at, 'metadata', 'labels', label], 'refused')
  })
}
