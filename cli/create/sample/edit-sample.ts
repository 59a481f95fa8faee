import type { OpenApiSchema } from '../schema/json-schema.js'
import { sampleOfSchema } from '../schema/sample-of-schema.js'
import { type SchemaPath, schemaBelow } from '../schema/schema-path.js'

/** A value to set in a sample. */
export interface SampleEdit {
  schema: OpenApiSchema
  path: SchemaPath
  /** Default the minimal value of the schema at the path. */
  value?: unknown
  /** Which of two different values the schema gives; default the first. */
  variant?: 1 | 2
}

/**
 * A copy of a sample with a value at a path. Missing parents are added, with one element in lists. `undefined` if the
 * schema has no such path.
 */
export function withValueAt(sample: unknown, { schema, path, value, variant = 1 }: SampleEdit): unknown {
  const [segment, ...pathBelow] = path
  if (segment === undefined) return value ?? sampleOfSchema(schema, variant)
  const memberSchema = schemaBelow(schema, segment)
  if (!memberSchema) return undefined
  const [container, key] = containerFor(sample, segment, schema)
  const current =
    Object(container)[key] ?? (pathBelow.length > 0 ? sampleOfSchema(memberSchema, variant) : undefined)
  const edit = { schema: memberSchema, path: pathBelow, ...(value !== undefined && { value }), variant }
  const member = withValueAt(current, edit)
  if (member === undefined) return undefined
  return Array.isArray(container) ? [member, ...container.slice(1)] : { ...Object(container), [key]: member }
}

/** The object or list for a segment, and the key in it; `*` means the first element or member. */
function containerFor(
  sample: unknown,
  segment: string,
  { items, properties }: OpenApiSchema,
): [unknown, string | number] {
  if (segment !== '*' || Object.hasOwn(properties ?? {}, '*')) return [Object(sample), segment]
  if (items) return [Array.isArray(sample) ? sample : [], 0]
  return [Object(sample), Object.keys(Object(sample))[0] ?? 'one']
}

/** A copy of a sample without the value at a path. */
export function withoutValueAt(sample: unknown, [segment, ...pathBelow]: SchemaPath): unknown {
  if (segment === undefined || typeof sample !== 'object' || sample === null) return sample
  const name = segment === '*' ? (Object.keys(sample)[0] ?? '') : segment
  const entries = Object.entries(sample).flatMap(([key, value]) => {
    if (key !== name) return [[key, value] as const]
    return pathBelow.length > 0 ? [[key, withoutValueAt(value, pathBelow)] as const] : []
  })
  return Array.isArray(sample) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

/** The value at a path of a sample. */
export function sampleValueAt(sample: unknown, path: SchemaPath): unknown {
  return path.reduce<unknown>((value, segment) => {
    if (typeof value !== 'object' || value === null) return undefined
    const name = segment === '*' ? (Object.keys(value)[0] ?? '') : segment
    return Object.hasOwn(value, name) ? Object(value)[name] : undefined
  }, sample)
}
