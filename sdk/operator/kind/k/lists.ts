import * as z from 'zod'
import { canonicalJson } from '../../../engine/kube/canonical-json.js'
import { extend } from '../schema/extension.js'
import type { JsonSchema } from '../schema/json-schema.js'

/**
 * A list of scalars without duplicates, whose elements several field managers can own apart.
 *
 * @example
 * ```ts
 * const status = z.object({ nodes: k.listSet(z.string()).optional() })
 * ```
 */
export function listSet<T extends z.ZodType>(item: T): z.ZodArray<T> {
  return extend(z.array(item), { members: { 'x-kubernetes-list-type': 'set' } }, uniqueCheck())
}

/**
 * A list of objects that `keys` identify, whose elements several field managers can own apart.
 *
 * @example
 * ```ts
 * const ports = k.listMap(z.object({ name: z.string(), port: z.int() }), ['name'])
 * ```
 */
export function listMap<T extends z.ZodObject>(
  item: T,
  keys: readonly (keyof z.output<T> & string)[],
): z.ZodArray<T> {
  const members: JsonSchema = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [...keys] }
  return extend(z.array(item), { members }, uniqueCheck(keys))
}

/** Refuses elements that are equal, or equal in their keys. */
function uniqueCheck(keys?: readonly string[]) {
  return z.superRefine<unknown[]>((items, ctx) => {
    const identities = new Set<string>()
    for (const [index, item] of items.entries()) {
      const identity = canonicalJson(keys === undefined ? item : keys.map((key) => Object(item)[key]))
      if (identities.has(identity)) {
        ctx.addIssue({ code: 'custom', path: [index], message: 'Duplicate element', input: item })
      }
      identities.add(identity)
    }
  })
}
