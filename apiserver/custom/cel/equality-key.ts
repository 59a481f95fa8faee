/** A value with its own equality. */
export abstract class Comparable {
  abstract equals(other: unknown): boolean
  /** The text that all equal values share. */
  abstract get equalityKey(): string
}

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

/** The entries of a map from the object, or of a map literal, which is a plain object. */
export function mapOf(value: unknown): ReadonlyMap<unknown, unknown> | undefined {
  if (value instanceof Map) return value
  const isPlain =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  return isPlain ? new Map(Object.entries(value)) : undefined
}

/** A text that all CEL values share that are equal to this one. Other values seldom have it. */
export function equalityKey(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return `number ${Number(value)}`
  if (typeof value !== 'object' || value === null) return `${typeof value} ${JSON.stringify(value)}`
  if (Array.isArray(value)) return keyOfList(value)
  if (value instanceof Comparable) return value.equalityKey
  const map = mapOf(value)
  if (map !== undefined) return keyOfMap(map)
  if (value instanceof Date) return `time ${value.getTime()}`
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`
  return isDuration(value) ? `duration ${nanosOf(value)}` : 'other'
}

/** Without the order, because the order of a set or a map list does not matter. */
const keyOfList = (list: readonly unknown[]) => `[${list.map(equalityKey).sort().join()}]`

/** The key of the entries of a map. */
export function keyOfMap(map: ReadonlyMap<unknown, unknown>): string {
  const entries = [...map].map(([key, value]) => `${JSON.stringify(String(key))}:${equalityKey(value)}`)
  return `{${entries.sort().join()}}`
}
