import type { JsonSchema } from '../schema/json-schema.js'

/** The largest request that an API server takes, in bytes. */
const maxRequestBytes = 3 * 2 ** 20

/** The smallest sizes of formats that CEL reads as times, in bytes of JSON. */
const smallestFormats: Readonly<Record<string, number>> = { duration: 3, date: 12, 'date-time': 21 }
/** The largest ones, in characters. */
const largestFormats: Readonly<Record<string, number>> = { duration: 32, date: 12, 'date-time': 32 }

/** The largest size of a value: elements of a list, entries of a map, bytes of a text; 1 for everything else. */
export function largestSize(schema: JsonSchema): number {
  if (schema['x-kubernetes-int-or-string'] === true) return textSize(schema)
  if (schema.items) return schema.maxItems ?? (maxRequestBytes - 2) / (smallestBytes(schema.items) + 1)
  if (schema.additionalProperties) {
    return schema.maxProperties ?? (maxRequestBytes - 2) / (smallestBytes(schema.additionalProperties) + 6)
  }
  return schema.type === 'string' ? textSize(schema) : 1
}

/** A character has up to four bytes. */
function textSize({ maxLength, enum: values, format = '' }: JsonSchema): number {
  if (Object.hasOwn(largestFormats, format)) return largestFormats[format] ?? 0
  if (maxLength !== undefined) return maxLength * 4
  if (values !== undefined) return Math.max(...values.map((value) => String(value).length * 4))
  return maxRequestBytes
}

/** Whether the schema limits how large a value can be. */
export function isBounded({ items, additionalProperties, maxItems, maxProperties }: JsonSchema): boolean {
  if (items !== undefined) return maxItems !== undefined
  return additionalProperties === undefined || maxProperties !== undefined
}

/** The smallest size of a value in bytes of JSON, which tells how many of them a request can hold. */
export function smallestBytes(schema: JsonSchema): number {
  if (schema['x-kubernetes-int-or-string'] === true) return 1
  switch (schema.type) {
    case 'object':
      return schema.additionalProperties ? 2 : smallestObject(schema)
    case 'string':
      return smallestFormats[schema.format ?? ''] ?? 2
    case 'boolean':
      return 4
    case 'array':
      return 2
    default:
      return 1
  }
}

function smallestObject({ properties = {}, required = [] }: JsonSchema): number {
  const fields = required.map((name) => ({ name, schema: properties[name] }))
  return fields.reduce((bytes, { name, schema }) => {
    if (schema === undefined || schema.default !== undefined) return bytes
    return bytes + name.length + smallestBytes(schema) + 4
  }, 2)
}

/** How often a value can occur in a request at most if a list or a map around it has no limit. */
export const largestCount = (schema: JsonSchema) => maxRequestBytes / (smallestBytes(schema) + 1)
