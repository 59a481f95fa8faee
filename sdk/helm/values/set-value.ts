import { isJsonObject, type JsonObject } from '../chart/json-object.js'
import type { ValuePath } from './value-path.js'

/**
 * Sets a value in values that may be changed. Maps and lists on the way are made, other values there are replaced, and
 * a list that is too short is filled with nulls, as `helm --set` does.
 */
export function setValue(values: JsonObject, path: ValuePath, value: unknown): void {
  const [first, ...rest] = path
  if (first === undefined) return
  assign(values, first, valueAt(memberOf(values, first), rest, value))
}

/** The value of a place after something below it was set. */
function valueAt(current: unknown, path: ValuePath, value: unknown): unknown {
  const [next, ...rest] = path
  if (next === undefined) return value
  const container = typeof next === 'number' ? listOf(current, next) : isJsonObject(current) ? current : {}
  assign(container, next, valueAt(memberOf(container, next), rest, value))
  return container
}

function listOf(current: unknown, index: number): unknown[] {
  const list = Array.isArray(current) ? (current as unknown[]) : []
  while (list.length < index) list.push(null)
  return list
}

const memberOf = (container: object, key: string | number): unknown =>
  Object.hasOwn(container, key) ? (container as Record<string | number, unknown>)[key] : undefined

/** Defines a member, so that `__proto__` becomes one as well. */
function assign(container: object, key: string | number, value: unknown): void {
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true })
}
