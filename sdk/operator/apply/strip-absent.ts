import { isJsonObject } from '../../engine/kube/json-object.js'
/**
 * A copy of a JSON value without members that are `null` or `undefined`. Server-side apply owns a field that is sent as
 * `null`, and a `creationTimestamp: null` alone changes the resourceVersion.
 */
export function stripAbsent<T>(value: T): T
export function stripAbsent(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(isPresent).map((item: unknown) => stripAbsent(item))
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).filter(([, member]) => isPresent(member))
  return Object.fromEntries(members.map(([name, member]) => [name, stripAbsent(member)]))
}

const isPresent = (value: unknown) => value !== null && value !== undefined

/** Whether a JSON value is a list or an object without members. */
export function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0
}
