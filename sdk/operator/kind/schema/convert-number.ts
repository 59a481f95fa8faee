import type { $ZodChecks } from 'zod/v4/core'
import type { JsonSchema } from './json-schema.js'
import type { SchemaContext } from './schema-context.js'

/** The schemas of zod's number formats. The server checks the bounds of `int32`, `float` and `double` itself. */
const formats: Readonly<Record<string, JsonSchema>> = {
  safeint: { type: 'integer', format: 'int64' },
  int32: { type: 'integer', format: 'int32' },
  uint32: { type: 'integer', format: 'int64', minimum: 0, maximum: 2 ** 32 - 1 },
  float32: { type: 'number', format: 'float' },
  float64: { type: 'number', format: 'double' },
}

/**
 * Converts the checks of a number. Bounds are those that the author wrote: the limits of safe integers that zod implies
 * are left out. An integer beyond them is a problem of the object when it is parsed.
 */
export function convertNumber(checks: readonly $ZodChecks[], context: SchemaContext): JsonSchema {
  const node = checks.reduce<JsonSchema>((node, check) => addCheck(node, check, context), { type: 'number' })
  if (node.type === 'number') {
    context.warn(
      'number',
      'is a floating-point number, which clients round differently; prefer z.int() or k.quantity()',
    )
  }
  return node
}

function addCheck(node: JsonSchema, { _zod: { def } }: $ZodChecks, context: SchemaContext): JsonSchema {
  switch (def.check) {
    case 'greater_than':
      return withMinimum(node, Number(def.value), !def.inclusive)
    case 'less_than':
      return withMaximum(node, Number(def.value), !def.inclusive)
    case 'multiple_of':
      if (node.multipleOf === undefined) return { ...node, multipleOf: Number(def.value) }
      return { ...node, allOf: [...(node.allOf ?? []), { multipleOf: Number(def.value) }] }
    case 'number_format':
      return { ...node, ...formats[def.format] }
    default:
      return context.refuse(def.check, 'cannot be checked by the API server; leave it out')
  }
}

function withMinimum(node: JsonSchema, minimum: number, isExclusive: boolean): JsonSchema {
  const { minimum: oldMinimum = Number.NEGATIVE_INFINITY } = node
  if (minimum < oldMinimum || (minimum === oldMinimum && !isExclusive)) return node
  const { exclusiveMinimum: _, ...rest } = node
  return { ...rest, minimum, ...(isExclusive && { exclusiveMinimum: true }) }
}

function withMaximum(node: JsonSchema, maximum: number, isExclusive: boolean): JsonSchema {
  const { maximum: oldMaximum = Number.POSITIVE_INFINITY } = node
  if (maximum > oldMaximum || (maximum === oldMaximum && !isExclusive)) return node
  const { exclusiveMaximum: _, ...rest } = node
  return { ...rest, maximum, ...(isExclusive && { exclusiveMaximum: true }) }
}
