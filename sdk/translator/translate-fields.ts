import { jsonEqual } from '../kube/json.js'
import type { KubeObject } from '../kube/object.js'

/** Fields that are not copied: metadata is translated, the rest is each side's own. */
const notCopied: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status'])

/** A shallow copy of an object without `status`, which is for the cluster that has the object to say. */
export function withoutStatus<T extends KubeObject>(object: T): T {
  if (!Object.hasOwn(object, 'status')) return { ...object }
  // `fromEntries` defines members and never assigns them: a field such as `__proto__` stays a field.
  return Object.fromEntries(Object.entries(object).filter(([field]) => field !== 'status')) as unknown as T
}

/**
 * The host object with the virtual object's top-level fields, `status` and metadata aside; the very same host
 * object when all of them are equal as JSON. A field that the virtual object does not have goes. Nothing is
 * mutated, and what did not change is shared.
 */
export function withFieldsOf<T extends KubeObject>(host: T, virtual: T): T {
  const here = new Map(Object.entries(host))
  const there = new Map(Object.entries(virtual))
  let changed = false
  for (const field of new Set([...here.keys(), ...there.keys()])) {
    const value = there.get(field)
    if (notCopied.has(field) || jsonEqual(here.get(field), value)) continue
    changed = true
    if (value === undefined) here.delete(field)
    else here.set(field, value)
  }
  return changed ? (Object.fromEntries(here) as unknown as T) : host
}
