import { markerLabel, releaseLabel } from '../../../sdk/vcluster/naming/ownership-keys.js'
import { podMembers, podReferences } from '../../../sdk/vcluster/syncer/references/pod-references.js'
import type { ReferenceRule, References } from '../../../sdk/vcluster/syncer/references/reference-rules.js'
import { contentSchemas } from './content-schemas.js'
import type { OpenApiSchema } from './json-schema.js'
import { referencePath, type SchemaPath, schemasBelow } from './schema-path.js'
import { schemaReference } from './schema-reference.js'

/** A reference in a schema, with its rules in the generated syncer. */
export interface FoundReference {
  /** The path in the syntax of reference rules. */
  path: string
  /** The same path as segments. */
  segments: SchemaPath
  rules: References
  /** The SDK's name of the named resource. */
  resource?: string
  /** Only for a Pod specification: its members that a Pod does not have. `rules` are those of all fields in it. */
  members?: readonly string[]
}

/** The references to other objects in a kind's schema, in the schema's order. */
export function schemaReferences(schema: OpenApiSchema, { namespaced = true } = {}): FoundReference[] {
  const references = contentSchemas(schema).flatMap(([name, field]) => referencesIn(field, [name]))
  return namespaced ? references : references.map(withKnownNamespace)
}

/** Rejects names without a namespace in a cluster-scoped kind, because it has no namespace to resolve them in. */
function withKnownNamespace(reference: FoundReference): FoundReference {
  const { resource, ...withoutResource } = reference
  const rule = reference.rules[reference.path]
  const hasNamespaceField = typeof rule === 'object' && 'to' in rule
  return !resource || hasNamespaceField
    ? reference
    : { ...withoutResource, rules: { [reference.path]: 'refused' } }
}

function referencesIn(schema: OpenApiSchema, path: SchemaPath): FoundReference[] {
  if (isPodSpec(schema)) return podSpecReferences(schema, path)
  if (isPodTemplate(schema)) return [...refusedLabels(path), ...referencesBelow(schema, path)]
  const references = path.length > 1 ? referencesAt(schema, path) : []
  return references.length > 0 ? references : referencesBelow(schema, path)
}

const referencesBelow = (schema: OpenApiSchema, path: SchemaPath) =>
  schemasBelow(schema).flatMap(([name, field]) => referencesIn(field, [...path, name]))

/** The reference at a path, and what is refused next to it; an element has the name of its list. */
function referencesAt(schema: OpenApiSchema, path: SchemaPath): FoundReference[] {
  const name = path.findLast((segment) => segment !== '*') ?? ''
  const reference = schemaReference(name, schema)
  if (!reference) return []
  const { below, rule, resource, refused = [] } = reference
  const referenceHere = foundReference([...path, ...below], rule)
  return [
    { ...referenceHere, ...(resource && { resource }) },
    ...refused.map((member) => foundReference([...path, member], 'refused')),
    ...(refused.length > 0 ? otherReferences(schema, path, [...reference.below, ...refused]) : []),
  ]
}

/** The references in the members of a reference that its rules do not cover; `coveredNames` are those they cover. */
function otherReferences(
  schema: OpenApiSchema,
  path: SchemaPath,
  coveredNames: readonly string[],
): FoundReference[] {
  const others = schemasBelow(schema).filter(([name]) => !coveredNames.includes(name))
  return others.flatMap(([name, field]) => referencesIn(field, [...path, name]))
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
function podSpecReferences(schema: OpenApiSchema, segments: SchemaPath): FoundReference[] {
  const path = referencePath(segments)
  const ownSchemas = schemasBelow(schema).filter(([name]) => !podMembers.includes(name))
  const members = ownSchemas.map(([name]) => name)
  const rules = podReferences(path, { members })
  const referencesInOwn = ownSchemas.flatMap(([name, field]) => referencesIn(field, [...segments, name]))
  return [{ path, segments, rules, members }, ...referencesInOwn]
}

/** Rules against labels that would add host Pods to the vcluster's own Service, or mark them as copies of its Pods. */
function refusedLabels(segments: SchemaPath): FoundReference[] {
  return [releaseLabel, markerLabel].map((label) => {
    return foundReference([...segments, 'metadata', 'labels', label], 'refused')
  })
}
