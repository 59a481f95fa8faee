import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import type { Schema } from '../schema/structural-schema.js'

/** The value of a field before an update. It is wrapped because any value is possible, `undefined` included. */
export interface Old {
  readonly value: unknown
}

/** The old value of a member; undefined for the kind and version at the root, which are not stored. */
export function correlatedMember(
  name: string,
  { path, old }: { readonly path: string; readonly old?: Old | undefined },
): Old | undefined {
  if (old === undefined || !isJsonObject(old.value) || !Object.hasOwn(old.value, name)) return undefined
  if (path === '' && (name === 'kind' || name === 'apiVersion')) return undefined
  return { value: old.value[name] }
}

/** Returns the old value of each element. Only elements of a map list can be correlated. */
export function elementCorrelation(
  schema: Schema,
  old: Old | undefined,
): (element: unknown) => Old | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old?.value)) return () => undefined
  const names = schema['x-kubernetes-list-map-keys'] ?? []
  const oldByKey = new Map<string, Old>()
  for (const value of old.value as unknown[]) {
    if (!isJsonObject(value)) continue
    const key = keyText(value, names)
    if (!oldByKey.has(key)) oldByKey.set(key, { value })
  }
  return (element) => (isJsonObject(element) ? oldByKey.get(keyText(element, names)) : undefined)
}

/** The keys of an element as text. An absent key differs from null. */
const keyText = (element: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  stringifyJson(names.map((name) => (Object.hasOwn(element, name) ? [element[name]] : [])))
