import { isJsonObject } from '../../engine/kube/json-object.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { appliedBy } from './managed-leaves.js'

/** Options of {@link handOver}. */
export interface HandOverOptions {
  /** The manager that gives up the fields. */
  fieldManager: string
  /** The fields, such as `spec.replicas`. */
  paths: readonly string[]
}

/**
 * The apply that gives the fields of a manager a second owner, with their live values and at the live revision. An API
 * server resets a field to its default when its only owner leaves it out; a field with a second owner keeps its value.
 * Undefined if the manager owns none of the fields.
 */
export function handOver(
  live: KubeObject,
  { fieldManager, paths }: HandOverOptions,
): Record<string, unknown> | undefined {
  const fields = appliedBy(fieldManager, live.metadata.managedFields)
  const members = paths.map(membersOf)
  const owned = members.filter((names) => valueAt(fields, names.map(prefixed)) !== undefined)
  const body = owned.reduce<object>((made, names) => withValue(made, names, valueAt(live, names)), {})
  if (Object.keys(body).length === 0) return undefined
  const { name, namespace, uid, resourceVersion } = live.metadata
  return { ...body, metadata: { name, namespace, uid, resourceVersion } }
}

const prefixed = (name: string) => `f:${name}`

/** The members of a path. */
export function membersOf(path: string): string[] {
  return path.replace(/^\./, '').split('.')
}

/** The value at a path; undefined if there is none. */
export function valueAt(object: unknown, names: readonly string[]): unknown {
  let value = object
  for (const name of names) value = isJsonObject(value) ? value[name] : undefined
  return value
}

function withValue(object: object, [first = '', ...others]: readonly string[], value: unknown): object {
  const members = object as Record<string, unknown>
  const below = members[first]
  const made = others.length === 0 ? value : withValue(isJsonObject(below) ? below : {}, others, value)
  return { ...members, [first]: made }
}
