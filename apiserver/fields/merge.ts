import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import type { PathElement } from './field-set.js'
import { type FieldType, type ListType, type MapType, memberType, typeFor } from './field-type.js'
import { elementOf } from './list-elements.js'

/**
 * Merges the desired object into the live one: desired fields win, lists are merged by their keys, and other
 * fields are kept. Neither input is changed, and unchanged parts are shared. Follows `typed/merge.go` of
 * structured-merge-diff v6.3.3.
 */
export function mergeByType(live: unknown, desired: unknown, type: FieldType): unknown {
  if (desired === undefined) return live
  if (live === undefined) return desired
  const actualType = typeFor(type, desired, live)
  if (desired === null && takesNull(live, actualType)) return live
  if (
    actualType.form === 'list' &&
    actualType.merge !== 'atomic' &&
    Array.isArray(live) &&
    Array.isArray(desired)
  ) {
    return live.length === 0 || desired.length === 0
      ? mergeBare(live, desired)
      : mergeLists(live, desired, actualType)
  }
  const isMerged =
    actualType.form === 'map' && !actualType.atomic && isJsonObject(live) && isJsonObject(desired)
  return isMerged ? mergeMaps(live, desired, actualType) : desired
}

/** A null counts as an empty list or map, which removes nothing. */
function takesNull(live: unknown, type: FieldType): boolean {
  if (type.form === 'list') return type.merge !== 'atomic' && Array.isArray(live) && live.length > 0
  return type.form === 'map' && !type.atomic && isJsonObject(live) && Object.keys(live).length > 0
}

/** An empty list removes nothing. */
function mergeBare(live: readonly unknown[], desired: readonly unknown[]): readonly unknown[] {
  return desired.length > 0 ? desired : live
}

function mergeMaps(
  live: Record<string, unknown>,
  desired: Record<string, unknown>,
  type: MapType,
): Record<string, unknown> {
  const merged = new Map(Object.entries(live))
  for (const [name, value] of Object.entries(desired)) {
    merged.set(name, mergeByType(merged.get(name), value, memberType(type, name) ?? { form: 'scalar' }))
  }
  return Object.fromEntries(merged)
}

/** One side of a merge: its elements in order, and by their identity. */
interface MergeSide {
  readonly order: readonly PathElement[]
  readonly items: readonly unknown[]
  readonly byElement: ReadonlyMap<PathElement, unknown>
}

function sideOf(list: readonly unknown[], type: ListType): MergeSide {
  const order = list.map((item) => elementOf(type, item))
  const byElement = new Map<PathElement, unknown>()
  for (const [index, element] of order.entries()) {
    // Duplicates in the live object are replaced by the desired element, not merged.
    byElement.set(element, byElement.has(element) ? undefined : list[index])
  }
  return { order, items: list, byElement }
}

/**
 * Keeps the order of the desired elements; elements that are only live keep their position between their
 * neighbours.
 */
function mergeLists(live: readonly unknown[], desired: readonly unknown[], type: ListType): unknown[] {
  const left = sideOf(live, type)
  const right = sideOf(desired, type)
  const merge = new ListMerge(left, right, type)
  while (!merge.isDone) merge.step()
  return merge.merged
}

/** The merge of two lists, one element at a time, from the first to the last of both. */
class ListMerge {
  readonly merged: unknown[] = []
  readonly #left: MergeSide
  readonly #right: MergeSide
  readonly #type: ListType
  /** The elements of both sides that are still to be merged, in the desired order. */
  readonly #shared: PathElement[]
  readonly #done = new Set<PathElement>()
  #leftAt = 0
  #rightAt = 0

  constructor(left: MergeSide, right: MergeSide, type: ListType) {
    this.#left = left
    this.#right = right
    this.#type = type
    this.#shared = right.order.filter((element) => left.byElement.has(element))
  }

  get isDone(): boolean {
    return this.#leftAt >= this.#left.order.length && this.#rightAt >= this.#right.order.length
  }

  step(): void {
    const old = this.#left.order[this.#leftAt]
    const next = this.#right.order[this.#rightAt]
    if (old !== undefined && !this.#right.byElement.has(old)) {
      this.merged.push(this.#left.items[this.#leftAt])
      this.#leftAt++
    } else if (old !== undefined && old === next) {
      this.#take(old)
      this.#leftAt++
      this.#rightAt++
    } else if (old !== undefined && this.#isMergedElsewhere(old, next)) {
      this.#leftAt++
    } else if (next !== undefined) {
      this.#take(next)
      this.#rightAt++
    }
  }

  /** Whether a live element was merged before, or will be at its place in the desired order. */
  #isMergedElsewhere(old: PathElement, next: PathElement | undefined): boolean {
    return this.#done.has(old) || (next !== undefined && this.#shared[0] !== old)
  }

  /** Adds an element of the desired list, merged with the live one. */
  #take(element: PathElement): void {
    const live = this.#left.byElement.get(element)
    const desired = this.#right.byElement.get(element)
    this.merged.push(mergeByType(live, desired, this.#type.element))
    this.#done.add(element)
    if (this.#shared[0] === element) this.#shared.shift()
  }
}
