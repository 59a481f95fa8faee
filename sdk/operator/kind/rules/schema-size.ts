import type { JsonSchema } from '../schema/json-schema.js'

/** The largest request that an API server takes, in bytes. */
const maxRequestBytes = 3 * 2 ** 20

/** The largest sizes of the formats that CEL reads as times, in characters. */
const timeSizes: Readonly<Record<string, number>> = { duration: 32, date: 12, 'date-time': 32 }

/** The largest number of elements of a list without a limit, if each element has at least `bytes` bytes of JSON. */
export const maxItemsOf = (bytes: number) => Math.floor((maxRequestBytes - 2) / (bytes + 1))

/** The largest number of entries of a map without a limit, if each value has at least `bytes` bytes of JSON. */
export const maxEntriesOf = (bytes: number) => Math.floor((maxRequestBytes - 2) / (bytes + 6))

/** How often a value can occur in a request at most if a list or a map around it has no limit. */
export const maxOccurrences = (bytes: number) => Math.floor(maxRequestBytes / (bytes + 1))

/** The largest size of a text, in bytes. A character has up to four bytes, and one byte in base64. */
export function textLimit(schema: JsonSchema): number {
  const { maxLength, enum: values = [] } = schema
  const format = schema['x-kubernetes-int-or-string'] === true ? '' : (schema.format ?? '')
  if (Object.hasOwn(timeSizes, format)) return timeSizes[format] ?? 0
  if (maxLength !== undefined) return Math.max(0, maxLength) * (format === 'byte' ? 1 : 4)
  const hasValues = values.length > 0 && format !== 'byte' && schema.type === 'string'
  return hasValues ? Math.max(...values.map(textBytes)) : maxRequestBytes - 2
}

const textBytes = (value: unknown) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)
