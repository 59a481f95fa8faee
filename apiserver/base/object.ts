import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import type { Json, KubeObject, ObjectMeta } from '../../sdk/engine/kube/object.js'

/** A Kubernetes object whose fields outside the metadata are read as plain JSON. */
export type OpenObject = KubeObject & { metadata: ObjectMeta } & { [field: string]: unknown }

/** The member of a JSON object, or `undefined`; follows `path` one step per name. */
export function fieldAt(value: unknown, ...path: readonly string[]): Json | undefined {
  let at = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Record<string, unknown>)[name]
  }
  return at as Json | undefined
}

/** The member as text, `''` if it is missing: the form that field selectors compare. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const field = fieldAt(value, ...path)
  return field === undefined || field === null ? '' : String(field)
}

/** The member as the text of a number, `0` if it is missing. */
export function countAt(value: unknown, ...path: readonly string[]): string {
  return textAt(value, ...path) || '0'
}

/** A JSON object as a record, empty when it is something else. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {}
}
