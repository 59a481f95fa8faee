import type { OpenApiSchema } from './json-schema.js'

/**
 * A value that a field with a schema may have. `depth` is the number of levels of members and elements; three are
 * enough to recognise a reference by its members.
 */
export function likelyValue(schema: OpenApiSchema, depth = 3): unknown {
  const { type, properties, items, additionalProperties } = schema
  if (depth === 0) return {}
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return 1
  if (items) return [likelyValue(items, depth - 1)]
  const members = Object.entries(properties ?? {})
  if (members.length > 0)
    return Object.fromEntries(members.map(([name, member]) => [name, likelyValue(member, depth - 1)]))
  if (typeof additionalProperties === 'object') return { a: likelyValue(additionalProperties, depth - 1) }
  return type === 'object' ? {} : 'Text'
}
