import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { isJsonObject } from '../../sdk/engine/kube/json-object.js'

/** A value as Go prints it with `%v`. */
export function printValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(' ')}]`
  if (value === null) return '<nil>'
  if (!isJsonObject(value)) return String(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `map[${members.map(([name, member]) => `${name}:${printValue(member)}`).join(' ')}]`
}

/** A value as Go prints it with `%#v`. */
export function printGoValue(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(printGoValue).join(', ')}}`
  if (!isJsonObject(value)) return stringifyJson(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  const memberTexts = members.map(([name, member]) => `${JSON.stringify(name)}:${printGoValue(member)}`)
  return `map[string]interface {}{${memberTexts.join(', ')}}`
}

/** Whether an integer fits into Go's int64; Go reads a larger one as a float64. */
export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}

/** A number as Go holds it: exact up to 64 bits, beyond that with the precision of a float64. */
export function asGoNumber(value: unknown): unknown {
  return typeof value === 'bigint' && !isInt64(value) ? Number(value) : value
}

/** The name of a value's type in Go. */
export function goTypeOf(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}'
  if (isJsonObject(value)) return 'map[string]interface {}'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'int64'
  return typeof value === 'number' ? 'float64' : typeof value
}
