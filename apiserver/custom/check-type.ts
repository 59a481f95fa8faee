import { isInt64 } from '../base/go-values.js'
import type { Schema } from '../schema/structural-schema.js'
import { wrongType } from '../validation/field-error.js'
import { fieldOf, type ValidationFinding } from './findings.js'
import { formatOf } from './formats.js'

/** The types that a schema allows; empty means any. */
function typesOf(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string']
  return schema.type === undefined || schema.type === '' ? [] : [schema.type]
}

/** The default formats of Go's numbers. */
const numericFormats: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' }

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'bigint') return isInt64(value) ? 'integer' : 'number'
  // A floating-point number without a fraction counts as an integer if it is exact.
  return Number.isSafeInteger(value) ? 'integer' : typeof value
}

/** Checks the type of a value, and formats that determine a type. */
export function checkType(value: unknown, schema: Schema, path: string): ValidationFinding | undefined {
  const types = typesOf(schema)
  const format = formatOf(schema)
  if (types.length === 0 && format === '') return undefined
  if (value === null) {
    return types.length === 0 || schema.nullable === true ? undefined : mismatch(path, types.join(), 'null')
  }
  const type = typeOf(value)
  const isText = type === 'string' || type === 'array'
  const fits = types.includes(type) || (type === 'integer' && types.includes('number'))
  if (fits) return undefined
  if (!isText && format !== '') return mismatch(path, format, numericFormats[type] ?? '')
  const isNumeric = types.includes('number') || types.includes('integer')
  // With a format, the real validator does not check the type of strings and lists further.
  if (isText && format !== '' && !isNumeric) return undefined
  return mismatch(path, types.join(), type)
}

function mismatch(path: string, expected: string, actualType: string): ValidationFinding {
  const text = `${path} in body must be of type ${expected}: "${actualType}"`
  return { text, error: wrongType(fieldOf(path), actualType, text) }
}
