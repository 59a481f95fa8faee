import { isJsonObject } from '../../engine/kube/json-object.js'
import { itemFinder } from './list-items.js'

/**
 * Reduces `live` to the fields that `intent` has: the value of each intended leaf, and the length of each intended
 * list. Two projections of one intent differ if and only if an intended field changed.
 *
 * @example
 * ```ts
 * project({ spec: { replicas: 3 } }, { spec: { replicas: 5, paused: true } }) // { spec: { replicas: 5 } }
 * ```
 */
export function project(intent: unknown, live: unknown): unknown {
  if (Array.isArray(intent)) return projectList(intent, live)
  if (!isJsonObject(intent) || !isJsonObject(live)) return live ?? null
  const members = Object.entries(intent)
  if (members.length === 0) return {}
  return Object.fromEntries(members.map(([name, member]) => [name, project(member, live[name])]))
}

/**
 * A list of scalars is compared whole: it is atomic, or a set whose other items show that another manager
 * writes it, too.
 */
function projectList(intent: readonly unknown[], live: unknown): unknown {
  if (!Array.isArray(live) || !intent.every(isJsonObject)) return live ?? null
  const find = itemFinder(intent, live)
  return { length: live.length, items: intent.map((item, index) => project(item, find(index))) }
}
