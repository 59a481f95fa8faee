import type { z } from 'zod'
import type { JsonSchema } from '../schema/json-schema.js'

const zeros: Readonly<Record<string, unknown>> = {
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
  object: {},
}

/**
 * The values that the required fields of a status have before a run has set them, as in Go: an empty text, list or
 * object, zero or false. A field has no such value if its schema rejects the value or has rules. The fields of
 * a status with rules have none either: rules may reject an initial value, or forbid changing it.
 */
export function zeroValues(status: z.ZodObject, schema: JsonSchema): object {
  if (hasRules(schema)) return {}
  const { properties = {}, required = [] } = schema
  const zeroMembers = required.flatMap((name): [string, unknown][] => {
    const field = properties[name]
    if (field === undefined || hasRules(field)) return []
    const zero = zeros[field.type ?? '']
    return status.shape[name]?.safeParse(zero).success ? [[name, zero]] : []
  })
  return Object.fromEntries(zeroMembers)
}

const hasRules = (schema: JsonSchema) => schema['x-kubernetes-validations'] !== undefined
