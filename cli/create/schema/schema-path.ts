import type { OpenApiSchema } from './json-schema.js'

/** A member's name, or `*` for every element of a list and every member of a map. */
export type SchemaPath = readonly string[]

/** The schema of a member, or of an element for `*`. */
export function schemaBelow(schema: OpenApiSchema | undefined, segment: string): OpenApiSchema | undefined {
  if (!schema) return undefined
  const { properties = {}, items, additionalProperties } = schema
  if (Object.hasOwn(properties, segment)) return properties[segment]
  if (items) return items
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** The schema at a path. */
export function schemaAtPath(schema: OpenApiSchema, path: SchemaPath): OpenApiSchema | undefined {
  return path.reduce<OpenApiSchema | undefined>(schemaBelow, schema)
}

/** The schemas of all members or elements, with their segments. */
export function schemasBelow(schema: OpenApiSchema): [string, OpenApiSchema][] {
  const { properties = {}, items, additionalProperties } = schema
  const elementSchema = items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  return [
    ...Object.entries(properties),
    ...(elementSchema ? [['*', elementSchema] as [string, OpenApiSchema]] : []),
  ]
}

/** A path in the syntax of reference rules: `spec.tls[*].secretName`, `spec."tls.key"`. */
export function referencePath(path: SchemaPath): string {
  return path
    .map((segment) => (segment === '*' ? '[*]' : /[."[\]*]/.test(segment) ? `."${segment}"` : `.${segment}`))
    .join('')
    .replace(/^\./, '')
}

/** Parses a field path of an API server, `spec.rules[0].name` or `spec.labels[key]`; elements become `*`. */
export function readFieldPath(field: string): SchemaPath {
  const segments = field.matchAll(/\[(?:"[^"]*"|[^\]]*)\]|[^.[\]]+/g)
  return [...segments].map(([segment]) => (segment.startsWith('[') ? '*' : segment))
}
