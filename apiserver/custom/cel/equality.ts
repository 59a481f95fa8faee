import { Comparable, equalityKey, isDuration, mapOf, nanosOf } from './equality-key.js'

/** The identity of the elements of a list, if it is not their position. */
export interface ListKind {
  readonly type: 'set' | 'map'
  /** The identifiers of the key members of a map list. */
  readonly keys: readonly string[]
}

const kinds = new WeakMap<readonly unknown[], ListKind>()

/** Records how a list is compared and concatenated. */
export function setListKind(list: unknown[], kind: ListKind | undefined): unknown[] {
  if (kind !== undefined) kinds.set(list, kind)
  return list
}

/**
 * Whether two CEL values are equal. The order is ignored if the list on the left is a set or a map list; see
 * "Validation rules" in
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/
 */
export function celEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (isNumber(left)) {
    // Numbers are equal across their types, as CEL compares them.
    // biome-ignore lint/suspicious/noDoubleEquals: 1n == 1 must be true
    return isNumber(right) && left == right
  }
  if (Array.isArray(left)) return Array.isArray(right) && equalLists(left, right)
  if (left instanceof Comparable) return left.equals(right)
  const [leftMap, rightMap] = [mapOf(left), mapOf(right)]
  if (leftMap !== undefined) return rightMap !== undefined && equalMaps(leftMap, rightMap)
  if (left instanceof Date) return right instanceof Date && left.getTime() === right.getTime()
  if (left instanceof Uint8Array) return right instanceof Uint8Array && Buffer.compare(left, right) === 0
  return isDuration(left) && isDuration(right) && nanosOf(left) === nanosOf(right)
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'

/** Finds equal elements of a list without a comparison with each of them. */
export class EqualityIndex {
  readonly #list: readonly unknown[]
  /** The first indexes of different elements, by their keys. */
  readonly #indexes = new Map<string, number[]>()

  constructor(list: readonly unknown[]) {
    this.#list = list
    for (const [index, element] of list.entries()) this.#add(element, index)
  }

  #add(element: unknown, index: number): void {
    const key = equalityKey(element)
    const known = this.#indexes.get(key)
    if (known === undefined) this.#indexes.set(key, [index])
    else if (this.#firstOf(known, element) < 0) known.push(index)
  }

  /** The index of the first element that is equal; -1 if none is. */
  indexOf(sought: unknown): number {
    return this.#firstOf(this.#indexes.get(equalityKey(sought)) ?? [], sought)
  }

  has(sought: unknown): boolean {
    return this.indexOf(sought) >= 0
  }

  #firstOf(indexes: readonly number[], sought: unknown): number {
    return indexes.find((index) => celEqual(this.#list[index], sought)) ?? -1
  }
}

function equalMaps(left: ReadonlyMap<unknown, unknown>, right: ReadonlyMap<unknown, unknown>): boolean {
  if (left.size !== right.size) return false
  return [...left].every(([key, value]) => right.has(key) && celEqual(value, right.get(key)))
}

function equalLists(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false
  if (!kinds.has(left)) return left.every((element, index) => celEqual(element, right[index]))
  const onRight = new EqualityIndex(right)
  return left.every((element) => onRight.has(element))
}

/**
 * Concatenates two lists. Of a set only new values are added; in a map list the values on the right replace
 * those with the same keys.
 */
export function celConcat(left: readonly unknown[], right: readonly unknown[]): unknown[] {
  const kind = kinds.get(left)
  if (kind === undefined) return [...left, ...right]
  const identity = (element: unknown) => (kind.type === 'set' ? element : keysOf(element, kind.keys))
  const onLeft = new EqualityIndex(left.map(identity))
  const onRight = new EqualityIndex(right.map(identity))
  const updated = left.map((element) => {
    const index = kind.type === 'set' ? -1 : onRight.indexOf(identity(element))
    return index < 0 ? element : right[index]
  })
  const added = right.filter((element) => !onLeft.has(identity(element)))
  return setListKind([...updated, ...added], kind)
}

const keysOf = (element: unknown, keys: readonly string[]) =>
  keys.map((key) => (element as Record<string, unknown>)[key])
