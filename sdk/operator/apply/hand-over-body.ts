import { isJsonObject, valueAt } from '../../engine/kube/json-object.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { appliedBy } from './managed-leaves.js'

/** Options of {@link handOverBody}. */
export interface HandOverOptions {
  /** The field manager that will no longer own the fields. */
  fieldManager: string
  /** The fields, such as `spec.replicas`. */
  paths: readonly string[]
}

/**
 * The body of a server-side apply by a second manager, which has the live values of the fields and the live
 * resourceVersion. When the only owner of a field leaves it out, the API server resets the field to its default. A
 * field with a second owner keeps its value. Undefined if `fieldManager` owns none of the fields.
 */
export function handOverBody(
  live: KubeObject,
  { fieldManager, paths }: HandOverOptions,
): Record<string, unknown> | undefined {
  const fields = appliedBy(fieldManager, live.metadata.managedFields)
  const members = paths.map(membersOf)
  const owned = members.filter((names) => valueAt(fields, names.map(fieldKey)) !== undefined)
  const body = owned.reduce<object>((made, names) => withValue(made, names, valueAt(live, names)), {})
  if (Object.keys(body).length === 0) return undefined
  const { name, namespace, uid, resourceVersion } = live.metadata
  return { ...body, metadata: { name, namespace, uid, resourceVersion } }
}

const fieldKey = (name: string) => `f:${name}`

/** The names of the members along a path, such as `.spec.replicas`. */
export function membersOf(path: string): string[] {
  return path.replace(/^\./, '').split('.')
}

function withValue(object: object, [first = '', ...others]: readonly string[], value: unknown): object {
  const members = object as Record<string, unknown>
  const below = members[first]
  const newValue = others.length === 0 ? value : withValue(isJsonObject(below) ? below : {}, others, value)
  return { ...members, [first]: newValue }
}
