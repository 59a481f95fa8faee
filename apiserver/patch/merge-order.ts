import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { goTypeOf, printValue } from '../base/go-values.js'
import { failure } from '../request/status.js'
import { badTypeError, noMergeKeyError } from './merge-problems.js'

/** The member that identifies an element; undefined for plain values. */
export type MergeKey = string | undefined

const isNoDirective = (item: unknown) => !isJsonObject(item) || !Object.hasOwn(item, '$patch')

/** The identity of an element. Throws 500 if it has no merge key. */
export function identity(item: unknown, mergeKey: MergeKey): unknown {
  if (mergeKey === undefined) return item
  if (!isJsonObject(item)) throw badTypeError({}, item)
  if (!Object.hasOwn(item, mergeKey)) throw noMergeKeyError(item, mergeKey)
  return item[mergeKey]
}

/** The Go type of all elements. Throws 500 if they differ, or if there are none. */
export function elementType(...lists: readonly (readonly unknown[])[]): string {
  const [first, ...rest] = new Set(lists.flat().map(goTypeOf))
  if (first === undefined) throw failure(500, 'no elements in any of the given slices')
  if (first === '[]interface {}') throw failure(422, 'lists of lists are not supported')
  if (rest.length > 0) throw failure(500, `list element types are not identical: ${printValue(lists)}`)
  return first
}

/** The order of a merged list. */
export interface ListOrder {
  /** The order that the patch requests. */
  readonly desired: readonly unknown[]
  /** The list before the patch. */
  readonly before: readonly unknown[]
  readonly mergeKey: MergeKey
}

/**
 * Sorts the elements of the patch into its order and all others into their old order, and combines both, so
 * that elements in both lists keep their places and new ones come as early as possible.
 * https://git.k8s.io/design-proposals-archive/cli/preserve-order-in-strategic-merge-patch.md
 */
export function sortMergedList(
  merged: readonly unknown[],
  { desired, before, mergeKey }: ListOrder,
): unknown[] {
  if (merged.length > 0 && mergeKey !== undefined) checkObjects(desired)
  const patchRanks = ranksOf(desired, mergeKey)
  const oldRanks = ranksOf(before, mergeKey)
  const isInPatch = (item: unknown) => patchRanks.has(identity(item, mergeKey))
  const rankIn = (order: Ranks) => (item: unknown) => order.get(identity(item, mergeKey))
  const fromPatch = sortByRank(merged.filter(isInPatch), rankIn(patchRanks))
  const others = sortByRank(
    merged.filter((item) => !isInPatch(item)),
    rankIn(oldRanks),
  )
  return interleave(others, fromPatch, rankIn(oldRanks))
}

function checkObjects(list: readonly unknown[]): void {
  const badIndex = list.findIndex((item) => !isJsonObject(item))
  if (badIndex >= 0) throw failure(500, `value for key ${badIndex} is not a map`)
}

type Ranks = ReadonlyMap<unknown, number>
type RankOf = (item: unknown) => number | undefined

function ranksOf(list: readonly unknown[], mergeKey: MergeKey): Ranks {
  const indexByKey = new Map<unknown, number>()
  for (const [index, item] of list.entries()) {
    const key = identity(item, mergeKey)
    if (!indexByKey.has(key)) indexByKey.set(key, index)
  }
  return indexByKey
}

/** Go sorts blocks of this length by insertion, which determines the order of elements without a rank. */
const block = 20

function sortByRank(list: readonly unknown[], rankOf: RankOf): unknown[] {
  const ranked = list.map((item) => ({ item, rank: rankOf(item) }))
  const isSmall = ranked.length <= block
  if (isSmall && ranked.some(({ rank }) => rank === undefined)) return insertionSort(ranked)
  return ranked.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0)).map(({ item }) => item)
}

interface RankedItem {
  readonly item: unknown
  readonly rank: number | undefined
}

function insertionSort(ranked: readonly RankedItem[]): unknown[] {
  const done: RankedItem[] = []
  const stays = ({ rank: a }: RankedItem, { rank: b }: RankedItem) =>
    a !== undefined && b !== undefined && a <= b
  for (const each of ranked) done.splice(done.findLastIndex((other) => stays(other, each)) + 1, 0, each)
  return done.map(({ item }) => item)
}

function interleave(others: readonly unknown[], fromPatch: readonly unknown[], rankOf: RankOf): unknown[] {
  const list: unknown[] = []
  let next = 0
  for (const item of fromPatch) {
    const rank = rankOf(item)
    while (next < others.length && isBefore(rankOf(others[next]), rank)) list.push(others[next++])
    list.push(item)
  }
  return [...list, ...others.slice(next)]
}

function isBefore(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && a < b
}

/** Throws 500 unless the elements of a patch are in its requested order and are all part of it. */
export function checkOrder(patch: readonly unknown[], desired: readonly unknown[], mergeKey: MergeKey): void {
  if (patch.length === 0 || desired.length === 0) return
  let next = 0
  for (const item of patch.filter(isNoDirective)) {
    const key = identity(item, mergeKey)
    while (next < desired.length && identity(desired[next], mergeKey) !== key) next++
    if (next === desired.length) throw orderError(patch, desired)
    next++
  }
}

function orderError(patch: readonly unknown[], desired: readonly unknown[]) {
  const requested = `doesn't match $setElementOrder list:\n${printValue(desired)}\n`
  return failure(500, `The order in patch list:\n${printValue(patch)}\n ${requested}`)
}
