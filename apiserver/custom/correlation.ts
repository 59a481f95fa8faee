import { jsonEqual } from '../../sdk/engine/kube/json.js'
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

/** The old value of an element. Only elements of a map list can be correlated. */
export function correlatedElement(element: unknown, schema: Schema, old: Old | undefined): Old | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !isJsonObject(element)) return undefined
  if (old === undefined || !Array.isArray(old.value)) return undefined
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const oldElement: unknown = old.value.find(
    (each) => isJsonObject(each) && keys.every((key) => jsonEqual(each[key], element[key])),
  )
  return oldElement === undefined ? undefined : { value: oldElement }
}
