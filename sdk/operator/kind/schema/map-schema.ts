import mapValues from 'lodash/mapValues.js'
import type { JsonSchema } from './json-schema.js'

/** A schema whose nodes are replaced, from the innermost to the outermost. */
export function mapSchema(schema: JsonSchema, replace: (node: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (node: JsonSchema) => mapSchema(node, replace)
  return replace({
    ...schema,
    ...(schema.properties && { properties: mapValues(schema.properties, inner) }),
    ...(schema.items && { items: inner(schema.items) }),
    ...(schema.additionalProperties && { additionalProperties: inner(schema.additionalProperties) }),
  })
}
