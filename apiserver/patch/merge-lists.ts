import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { failure } from '../request/status.js'
import { elementType, type MergeKey, sortMergedList } from './merge-order.js'
import { noMergeKeyError, unknownDirectiveError } from './merge-problems.js'

type Members = Record<string, unknown>

/** The merge strategy of a list's elements. */
export interface ListMerge {
  readonly mergeKey: MergeKey
  /** Merges an element of the patch into the one with the same key. */
  readonly mergeItems: (old: Members, patch: Members) => Members
}

/**
 * Merges a list of a strategic merge patch into the list of an object; neither is changed. Throws an API error (500 or
 * 422).
 */
export function mergeLists(
  before: readonly unknown[],
  patch: readonly unknown[],
  merge: ListMerge,
): unknown[] {
  if (before.length === 0 && patch.length === 0) return []
  const { mergeKey } = merge
  if (elementType(before, patch) !== 'map[string]interface {}') {
    const merged = [...new Set([...before, ...patch])]
    return sortMergedList(merged, { desired: patch, before, mergeKey })
  }
  if (mergeKey === undefined) {
    throw failure(500, 'cannot merge lists without merge key for struct')
  }
  const { kept, plain } = applyDirectives(patch.filter(isJsonObject), before.filter(isJsonObject), mergeKey)
  const merged = mergeObjects(kept, plain, { ...merge, mergeKey })
  return sortMergedList(merged, { desired: plain, before: kept, mergeKey })
}

interface AfterDirectives {
  /** The list after the directives. */
  readonly kept: readonly Members[]
  /** The elements of the patch without directives. */
  readonly plain: readonly Members[]
}

/** Applies the elements of the patch that have a `$patch` directive: `delete` one element, or `replace` the list. */
function applyDirectives(
  patch: readonly Members[],
  before: readonly Members[],
  mergeKey: string,
): AfterDirectives {
  const deleted = new Set<unknown>()
  let isReplaced = false
  for (const item of patch) {
    if (!Object.hasOwn(item, '$patch')) continue
    const { $patch: directive } = item
    if (directive === 'merge') throw failure(500, 'merging lists cannot yet be specified in the patch')
    if (directive === 'replace') isReplaced = true
    else if (directive !== 'delete') throw unknownDirectiveError(directive, item)
    else if (!Object.hasOwn(item, mergeKey)) throw noMergeKeyError(item, mergeKey)
    else deleted.add(item[mergeKey])
  }
  const plain = patch.filter((item) => !Object.hasOwn(item, '$patch'))
  // The plain elements are the new list, so nothing is left to merge.
  if (isReplaced) return { kept: plain, plain: [] }
  return { kept: before.filter((item) => !deleted.has(item[mergeKey])), plain }
}

function mergeObjects(
  before: readonly Members[],
  patch: readonly Members[],
  { mergeKey, mergeItems }: ListMerge & { readonly mergeKey: string },
): Members[] {
  const merged = [...before]
  const indexByKey = new Map<unknown, number>()
  for (const [index, item] of before.entries()) {
    if (!indexByKey.has(item[mergeKey])) indexByKey.set(item[mergeKey], index)
  }
  for (const item of patch) {
    if (!Object.hasOwn(item, mergeKey)) throw noMergeKeyError(item, mergeKey)
    const mergedIndex = indexByKey.get(item[mergeKey]) ?? merged.length
    const old = merged[mergedIndex]
    indexByKey.set(item[mergeKey], mergedIndex)
    merged[mergedIndex] = old === undefined ? item : mergeItems(old, item)
  }
  return merged
}
