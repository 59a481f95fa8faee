import { isJsonObject, memberOf, setMember } from '../../engine/kube/json-object.js'
import type { JsonObject } from '../chart/json-object.js'
import type { ValuePath } from './value-path.js'

/**
 * Sets the value at a path; changes `values`. As `helm --set` does, it creates missing maps and lists on the path,
 * replaces other values there, and fills a list that is too short with nulls.
 */
export function setValue(values: JsonObject, path: ValuePath, value: unknown): void {
  const [first, ...rest] = path
  if (first === undefined) return
  setMember(values, first, setBelow(memberOf(values, first), rest, value))
}

/** Returns `current` with the value at the path below it; a map or list is changed, another value is replaced. */
function setBelow(current: unknown, path: ValuePath, value: unknown): unknown {
  const [next, ...rest] = path
  if (next === undefined) return value
  const container = typeof next === 'number' ? listUpTo(current, next) : isJsonObject(current) ? current : {}
  setMember(container, next, setBelow(memberOf(container, next), rest, value))
  return container
}

function listUpTo(current: unknown, index: number): unknown[] {
  const list = Array.isArray(current) ? (current as unknown[]) : []
  while (list.length < index) list.push(null)
  return list
}
