import type { Schema } from '../schema/structural-schema.js'
import { tooLong } from '../validation/field-error.js'
import { fieldOf, invalidField, invalidWhole, type ValidationFinding } from './findings.js'
import { formatOf } from './formats.js'
import { goRegExp } from './go-regexp.js'

/** Checks length and pattern of a text, and reports the first problem. */
export function checkString(value: string, schema: Schema, path: string): ValidationFinding | undefined {
  const { maxLength = Number.POSITIVE_INFINITY, minLength = 0, pattern = '' } = schema
  const length = minLength > 0 || Number.isFinite(maxLength) ? [...value].length : 0
  if (length > maxLength) {
    const text = `${path} in body should be at most ${maxLength} chars long`
    return { text, error: tooLong(fieldOf(path), maxLength) }
  }
  if (length < minLength) {
    return invalidField(path, value, `${path} in body should be at least ${minLength} chars long`)
  }
  if (pattern === '' || goRegExp(pattern).test(value)) return undefined
  return invalidField(path, value, `${path} in body should match '${pattern}'`)
}

/** Checks range and divisibility of a number. */
export function checkNumber(
  value: number | bigint,
  schema: Schema,
  path: string,
): readonly (ValidationFinding | undefined)[] {
  return [
    checkRange('Checked', value, schema, path),
    ...checkMultiple(value, schema, path),
    ...checkMinimum(value, schema, path),
    ...checkMaximum(value, schema, path),
  ]
}

const isWhole = (value: number | bigint) => typeof value === 'bigint' || Number.isInteger(value)

/** The bound that the real validator compares a value with: truncated if the value is an integer. */
const boundFor = (value: number | bigint, bound: number) => (isWhole(value) ? Math.trunc(bound) : bound)

const ranges: Readonly<Record<string, readonly [number | bigint, number | bigint]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  float: [-3.4028234663852886e38, 3.4028234663852886e38],
}

/** Checks that a value of an object, or a bound of its schema, is a number of the type and format of the schema. */
function checkRange(
  subject: string,
  value: number | bigint,
  schema: Schema,
  path: string,
): ValidationFinding | undefined {
  const { type = '', format = '' } = schema
  const range = ranges[type === 'integer' ? formatOf(schema) || 'int64' : format]
  if ((type !== 'integer' && type !== 'number') || range === undefined) return undefined
  // Go rounds this float to -9223372036854776000 before it checks it.
  const fits = type === 'number' || (isWhole(value) && value !== -(2 ** 63))
  if (fits && value >= range[0] && value <= range[1]) return undefined
  const typeText = format === '' ? `type ${type} (default format)` : `type ${type} with format ${format}`
  return invalidWhole(`${subject} value must be of ${typeText} in ${path}`)
}

type Findings = readonly (ValidationFinding | undefined)[]

/** A number of a schema as Go reads it: a 64-bit float. The JSON of a schema may have larger integers. */
const floatOf = (bound: number | undefined) => (bound === undefined ? undefined : Number(bound))

function checkMultiple(value: number | bigint, schema: Schema, path: string): Findings {
  const multipleOf = floatOf(schema.multipleOf)
  if (multipleOf === undefined) return []
  const outOfRange = checkRange('MultipleOf', multipleOf, schema, path)
  const factor = outOfRange ? multipleOf : boundFor(value, multipleOf)
  if (factor <= 0) {
    const text = `factor MultipleOf declared for ${path} must be positive: ${factor}`
    return [outOfRange, invalidField(path, factor, text)]
  }
  const quotient = factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor
  if (Number.isInteger(quotient)) return [outOfRange]
  return [outOfRange, invalidField(path, value, `${path} in body should be a multiple of ${factor}`)]
}

function checkMinimum(value: number | bigint, schema: Schema, path: string): Findings {
  const minimum = floatOf(schema.minimum)
  if (minimum === undefined) return []
  const { exclusiveMinimum = false } = schema
  const outOfRange = checkRange('Minimum boundary', minimum, schema, path)
  const bound = outOfRange ? minimum : boundFor(value, minimum)
  if (exclusiveMinimum ? value > bound : value >= bound) return [outOfRange]
  const text = exclusiveMinimum ? 'greater than' : 'greater than or equal to'
  return [outOfRange, invalidField(path, value, `${path} in body should be ${text} ${bound}`)]
}

function checkMaximum(value: number | bigint, schema: Schema, path: string): Findings {
  const maximum = floatOf(schema.maximum)
  if (maximum === undefined) return []
  const { exclusiveMaximum = false } = schema
  const outOfRange = checkRange('Maximum boundary', maximum, schema, path)
  const bound = outOfRange ? maximum : boundFor(value, maximum)
  if (exclusiveMaximum ? value < bound : value <= bound) return [outOfRange]
  const text = exclusiveMaximum ? 'less than' : 'less than or equal to'
  return [outOfRange, invalidField(path, value, `${path} in body should be ${text} ${bound}`)]
}
