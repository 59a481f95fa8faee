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
 * object, zero or false. A field whose schema refuses its value has none.
 */
export function zeroValues(status: z.ZodObject, { properties = {}, required = [] }: JsonSchema): object {
  const known = required.flatMap((name): [string, unknown][] => {
    const zero = zeros[properties[name]?.type ?? '']
    return status.shape[name]?.safeParse(zero).success ? [[name, zero]] : []
  })
  return Object.fromEntries(known)
}
