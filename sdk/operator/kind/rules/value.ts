import { celName } from '../schema/cel-name.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { isBounded, largestSize } from './schema-size.js'

/** An upper bound of a value in an expression. */
export interface Value {
  /** The largest number of elements, entries or bytes; 1 for numbers, booleans and objects. */
  readonly size: number
  /** An element of a list, or a value of a map. */
  readonly element?: Value
  /** Whether its variables of one name range over keys. */
  readonly isMap?: boolean
  readonly schema?: JsonSchema
  /** The path of the list or the map without a limit. */
  readonly unlimited?: string
}

/** A number, a boolean or an object. */
export const scalar: Value = { size: 1 }
/** A value about which nothing is known. */
export const unknownValue: Value = { size: Number.POSITIVE_INFINITY }
/** The keys of maps have no schema. */
export const mapKey: Value = { size: 256 }

/** The bound of a value with a schema. */
export function boundOf(schema: JsonSchema, path: string): Value {
  const inner = schema.items ?? schema.additionalProperties
  const step = schema.items ? '[]' : '{}'
  return {
    size: largestSize(schema),
    schema,
    ...(schema.additionalProperties && { isMap: true }),
    ...(inner && { element: boundOf(inner, path + step) }),
    ...(!isBounded(schema) && { unlimited: path }),
  }
}

/** The bound of a field, by its name in CEL. */
export function fieldOf({ schema, element, isMap }: Value, name: string, path: string): Value {
  if (isMap && element) return element
  const found = Object.entries(schema?.properties ?? {}).find(([field]) => celName(field) === name)
  return found ? boundOf(found[1], `${path}.${found[0]}`) : unknownValue
}

/** The larger one of two values, for an expression that may have either. */
export function eitherOf(a: Value, b: Value): Value {
  const larger = a.size >= b.size ? a : b
  const unlimited = a.unlimited ?? b.unlimited
  return unlimited === undefined ? larger : { ...larger, unlimited }
}
