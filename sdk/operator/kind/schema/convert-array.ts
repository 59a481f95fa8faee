import type { $ZodChecks, $ZodType } from 'zod/v4/core'
import type { JsonSchema } from './json-schema.js'
import type { SchemaContext } from './schema-context.js'

const scalars: ReadonlySet<string | undefined> = new Set(['string', 'integer', 'number', 'boolean'])

/** Converts a list. The list type is always written; `members` contains the type of `k.listSet` and `k.listMap`. */
export function convertArray(
  element: $ZodType,
  { checks, members = {} }: { checks: readonly $ZodChecks[]; members: JsonSchema | undefined },
  context: SchemaContext,
): JsonSchema {
  const items = context.element(element, '[]')
  const node: JsonSchema = { type: 'array', items, 'x-kubernetes-list-type': 'atomic', ...members }
  if (node['x-kubernetes-list-type'] === 'set') checkSetItems(items, context)
  if (node['x-kubernetes-list-type'] === 'map') checkMapItems(node, items, context)
  return checks.reduce((node, check) => addCheck(node, check, context), node)
}

function addCheck(node: JsonSchema, { _zod: { def } }: $ZodChecks, context: SchemaContext): JsonSchema {
  switch (def.check) {
    case 'min_length':
      return { ...node, minItems: Math.max(node.minItems ?? 0, def.minimum) }
    case 'max_length':
      return { ...node, maxItems: Math.min(node.maxItems ?? def.maximum, def.maximum) }
    case 'length_equals':
      return { ...node, minItems: def.length, maxItems: def.length }
    default:
      return context.refuse(def.check, 'cannot be checked by the API server; leave it out')
  }
}

function checkSetItems({ type, nullable }: JsonSchema, context: SchemaContext): void {
  if (!scalars.has(type)) context.refuse('k.listSet', 'takes scalars only; use k.listMap for objects')
  if (nullable) context.refuse('k.listSet', 'takes no elements that may be null; leave out .nullable()')
}

function checkMapItems(node: JsonSchema, items: JsonSchema, context: SchemaContext): void {
  if (items.type !== 'object' || items.properties === undefined) {
    context.refuse('k.listMap', 'takes objects only; use k.listSet for scalars')
    return
  }
  if (items.nullable) context.refuse('k.listMap', 'takes no elements that may be null; leave out .nullable()')
  for (const key of node['x-kubernetes-list-map-keys'] ?? []) checkKey(key, items, context)
}

function checkKey(key: string, items: JsonSchema, context: SchemaContext): void {
  const property = items.properties?.[key]
  const construct = `k.listMap key ${key}`
  if (property === undefined) {
    context.refuse(construct, 'is not a field of the elements; name one that is')
  } else if (!scalars.has(property.type) || property.nullable) {
    context.refuse(construct, 'must be a scalar that is never null')
  } else if (!items.required?.includes(key) && property.default === undefined) {
    context.refuse(construct, 'may be absent; make it required, or give it a default')
  }
}
