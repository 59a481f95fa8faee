import type { JsonSchema } from './json-schema.js'
import type { SchemaContext } from './schema-context.js'

/** Converts an enum, a literal, or a union of literals. */
export function convertValues(values: readonly unknown[], context: SchemaContext): JsonSchema {
  const type = typeOf(values)
  if (type === undefined) {
    const kinds = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))].sort()
    return context.refuse(
      `values of type ${kinds.join(' and ')}`,
      'have no common type; use values of one type (text, number or boolean), and .nullable() for null',
    )
  }
  return { type, enum: [...new Set(values)] }
}

function typeOf(values: readonly unknown[]): 'string' | 'boolean' | 'integer' | 'number' | undefined {
  if (values.every((value) => typeof value === 'string')) return 'string'
  if (values.every((value) => typeof value === 'boolean')) return 'boolean'
  if (values.every((value) => Number.isInteger(value))) return 'integer'
  return values.every((value) => typeof value === 'number') ? 'number' : undefined
}

/** The values of a schema that is an enum once converted, `undefined` for every other one. */
export function enumValues({ enum: values, type, ...rest }: JsonSchema): unknown[] | undefined {
  const isPlain = type !== undefined && Object.keys(rest).every((member) => member === 'description')
  return isPlain ? values : undefined
}
