import type { JsonSchema } from '../schema/json-schema.js'
import { sampleOfSchema } from '../schema/sample-of-schema.js'
import { type SchemaPath, schemaBelow } from '../schema/schema-path.js'

/** Where a schema's value is set, and to what. */
export interface SampleEdit {
  schema: JsonSchema
  path: SchemaPath
  /** Default the least that the schema there accepts. */
  value?: unknown
  variant?: 1 | 2
}

/**
 * A sample with a value at a path, and with what it takes to get there; nothing is mutated. Lists get one element.
 * `undefined` where the path leads nowhere.
 */
export function withValueAt(sample: unknown, { schema, path, value, variant = 1 }: SampleEdit): unknown {
  const [segment, ...rest] = path
  if (segment === undefined) return value ?? sampleOfSchema(schema, variant)
  const below = schemaBelow(schema, segment)
  if (!below) return undefined
  const [holder, name] = placeFor(sample, segment, schema)
  const current = Object(holder)[name] ?? (rest.length > 0 ? sampleOfSchema(below, variant) : undefined)
  const edit = { schema: below, path: rest, ...(value !== undefined && { value }), variant }
  const inner = withValueAt(current, edit)
  if (inner === undefined) return undefined
  return Array.isArray(holder) ? [inner, ...holder.slice(1)] : { ...Object(holder), [name]: inner }
}

/** Every element is the first one of a list, or the first member of a map. */
function placeFor(
  sample: unknown,
  segment: string,
  { items, properties }: JsonSchema,
): [unknown, string | number] {
  if (segment !== '*' || Object.hasOwn(properties ?? {}, '*')) return [Object(sample), segment]
  if (items) return [Array.isArray(sample) ? sample : [], 0]
  return [Object(sample), Object.keys(Object(sample))[0] ?? 'one']
}

/** A sample without what stands at a path; nothing is mutated. */
export function withoutValueAt(sample: unknown, [segment, ...rest]: SchemaPath): unknown {
  if (segment === undefined || typeof sample !== 'object' || sample === null) return sample
  const name = segment === '*' ? (Object.keys(sample)[0] ?? '') : segment
  const entries = Object.entries(sample).flatMap(([key, value]) => {
    if (key !== name) return [[key, value] as const]
    return rest.length > 0 ? [[key, withoutValueAt(value, rest)] as const] : []
  })
  return Array.isArray(sample) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

/** What stands at a path of a sample. */
export function valueAt(sample: unknown, path: SchemaPath): unknown {
  return path.reduce<unknown>((value, segment) => {
    if (typeof value !== 'object' || value === null) return undefined
    const name = segment === '*' ? (Object.keys(value)[0] ?? '') : segment
    return Object.hasOwn(value, name) ? Object(value)[name] : undefined
  }, sample)
}
