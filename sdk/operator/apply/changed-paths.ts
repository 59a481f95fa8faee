import { jsonEqual } from '../../engine/kube/json.js'
import { isJsonObject } from '../../engine/kube/json-object.js'

/**
 * The paths at which two projections of one intent differ (see `project`), for example `spec.replicas`. A list whose
 * length differs is one path.
 */
export function changedPaths(before: unknown, after: unknown, path = ''): string[] {
  if (jsonEqual(before, after)) return []
  const isList = isProjectedList(before) && isProjectedList(after)
  if (isList) return before.length === after.length ? changedInItems(before.items, after.items, path) : [path]
  if (!isJsonObject(before) || !isJsonObject(after)) return [path]
  return Object.keys(before).flatMap((name) =>
    changedPaths(before[name], after[name], path === '' ? name : `${path}.${name}`),
  )
}

/** A list as `project` reduces it. */
interface ProjectedList {
  readonly length: number
  readonly items: readonly unknown[]
}

function isProjectedList(value: unknown): value is ProjectedList {
  return isJsonObject(value) && typeof value.length === 'number' && Array.isArray(value.items)
}

function changedInItems(before: readonly unknown[], after: readonly unknown[], path: string): string[] {
  return before.flatMap((item, index) => changedPaths(item, after[index], `${path}[${index}]`))
}
