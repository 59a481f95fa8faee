import type { $ZodType } from 'zod/v4/core'
import type { JsonSchema } from './json-schema.js'
import type { SchemaContext } from './schema-context.js'

/** Converts an intersection of two objects that share no field. */
export function convertIntersection(schemas: readonly $ZodType[], context: SchemaContext): JsonSchema {
  const [left = {}, right = {}] = schemas.map((side) => context.unwrap(side))
  if (!isPlainObject(left) || !isPlainObject(right)) {
    return context.refuse(
      'intersection',
      'takes plain objects only; write one z.object({...}) with all fields',
    )
  }
  const shared = Object.keys(left.properties ?? {}).filter((name) =>
    Object.hasOwn(right.properties ?? {}, name),
  )
  if (shared.length > 0) {
    return context.refuse(
      'intersection',
      `has the field ${shared.join(', ')} on both sides; write one z.object({...})`,
    )
  }
  const required = [...(left.required ?? []), ...(right.required ?? [])]
  return {
    type: 'object',
    properties: { ...left.properties, ...right.properties },
    ...(required.length > 0 && { required }),
  }
}

function isPlainObject({
  type,
  properties: _,
  required: __,
  description: ___,
  ...others
}: JsonSchema): boolean {
  return type === 'object' && Object.keys(others).length === 0
}
