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

/** A value with its own equality. */
export abstract class Comparable {
  abstract equals(other: unknown): boolean
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

/** The entries of a map from the object, or of a map literal, which is a plain object. */
function mapOf(value: unknown): ReadonlyMap<unknown, unknown> | undefined {
  if (value instanceof Map) return value
  const isPlain =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  return isPlain ? new Map(Object.entries(value)) : undefined
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'

/** A duration of the CEL library. */
export interface CelDuration {
  readonly seconds: bigint
  readonly nanos: number
}

/** Whether a value is a duration. */
export function isDuration(value: unknown): value is CelDuration {
  return typeof value === 'object' && value !== null && 'seconds' in value && 'nanos' in value
}

/** A duration in nanoseconds. */
export function nanosOf({ seconds, nanos }: CelDuration): bigint {
  return seconds * 1_000_000_000n + BigInt(nanos)
}

function equalMaps(left: ReadonlyMap<unknown, unknown>, right: ReadonlyMap<unknown, unknown>): boolean {
  if (left.size !== right.size) return false
  return [...left].every(([key, value]) => right.has(key) && celEqual(value, right.get(key)))
}

function equalLists(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false
  if (!kinds.has(left)) return left.every((element, index) => celEqual(element, right[index]))
  return left.every((element) => right.some((other) => celEqual(element, other)))
}

/**
 * Concatenates two lists. Of a set only new values are added; in a map list the values on the right replace
 * those with the same keys.
 */
export function celConcat(left: readonly unknown[], right: readonly unknown[]): unknown[] {
  const kind = kinds.get(left)
  if (kind === undefined) return [...left, ...right]
  const isSame = (a: unknown, b: unknown) =>
    kind.type === 'set' ? celEqual(a, b) : sameKeys(a, b, kind.keys)
  const updated = left.map((element) => right.find((other) => isSame(element, other)) ?? element)
  const added = right.filter((other) => !left.some((element) => isSame(element, other)))
  return setListKind([...(kind.type === 'set' ? left : updated), ...added], kind)
}

function sameKeys(left: unknown, right: unknown, keys: readonly string[]): boolean {
  const [a, b] = [left as Record<string, unknown>, right as Record<string, unknown>]
  return keys.every((key) => celEqual(a[key], b[key]))
}
