import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import type { Json, KubeObject, ObjectMeta } from '../../sdk/engine/kube/object.js'

/** A Kubernetes object whose fields outside `metadata` have no type: they are read with {@link fieldAt}. */
export type OpenObject = KubeObject & { metadata: ObjectMeta } & { [field: string]: unknown }

/** The field of a JSON object at a path, or `undefined`: `fieldAt(pod, 'spec', 'nodeName')`. */
export function fieldAt(value: unknown, ...path: readonly string[]): Json | undefined {
  let current = value
  for (const name of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined
    current = (current as Record<string, unknown>)[name]
  }
  return current as Json | undefined
}

/** The field as text, `''` if it is missing: field selectors compare texts. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const field = fieldAt(value, ...path)
  return field === undefined || field === null ? '' : String(field)
}

/** The numeric field as text, `'0'` if it is missing. */
export function countAt(value: unknown, ...path: readonly string[]): string {
  return textAt(value, ...path) || '0'
}

/** The value if it is a JSON object, otherwise an empty object. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {}
}
