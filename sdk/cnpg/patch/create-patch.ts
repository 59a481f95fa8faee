/**
 * The JSON Patch (RFC 6902) between two values: parents before children, items of lists by their index. It uses `add`,
 * `remove` and `replace` only.
 */

import { jsonEqual } from '../../engine/kube/json.js'
import { isJsonObject, type JsonObject, memberOf } from '../../engine/kube/json-object.js'

/** One operation of a patch. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

/** The patch from `from` to `to`; empty if they are equal. A member that is `undefined` counts as absent. */
export function createPatch(from: unknown, to: unknown): PatchOperation[] {
  return difference(from, to, '')
}

function difference(from: unknown, to: unknown, path: string): PatchOperation[] {
  if (jsonEqual(from, to)) return []
  if (Array.isArray(from) && Array.isArray(to)) return items(from, to, path)
  if (isJsonObject(from) && isJsonObject(to)) return members(from, to, path)
  return [{ op: 'replace', path, value: to }]
}

function members(from: JsonObject, to: JsonObject, path: string): PatchOperation[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return names.flatMap((name): PatchOperation[] => {
    const place = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const [old, wanted] = [memberOf(from, name), memberOf(to, name)]
    if (wanted === undefined) return old === undefined ? [] : [{ op: 'remove', path: place }]
    if (old === undefined) return [{ op: 'add', path: place, value: wanted }]
    return difference(old, wanted, place)
  })
}

/**
 * Items that are equal at the start and at the end of both lists stay; what is between them is changed in place, and
 * then added, or removed from the back.
 */
function items(from: readonly unknown[], to: readonly unknown[], path: string): PatchOperation[] {
  const start = equalAtStart(from, to)
  const end = equalAtEnd(from, to, Math.min(from.length, to.length) - start)
  const [old, wanted] = [from.slice(start, from.length - end), to.slice(start, to.length - end)]
  const common = Math.min(old.length, wanted.length)
  const at = (index: number) => `${path}/${start + index}`
  return [
    ...old.slice(0, common).flatMap((item, index) => difference(item, wanted[index], at(index))),
    ...wanted
      .slice(common)
      .map((value, index): PatchOperation => ({ op: 'add', path: at(common + index), value })),
    ...old
      .slice(common)
      .map((_, index): PatchOperation => ({ op: 'remove', path: at(old.length - 1 - index) })),
  ]
}

function equalAtStart(from: readonly unknown[], to: readonly unknown[]): number {
  const first = from.findIndex((item, at) => at >= to.length || !jsonEqual(item, to[at]))
  return first === -1 ? from.length : first
}

function equalAtEnd(from: readonly unknown[], to: readonly unknown[], most: number): number {
  let equal = 0
  while (equal < most && jsonEqual(from.at(-1 - equal), to.at(-1 - equal))) equal++
  return equal
}
