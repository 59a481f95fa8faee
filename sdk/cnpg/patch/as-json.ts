import { parseJson, stringifyJson } from '../../engine/kube/json.js'

/**
 * A copy of what a hook made, as it is sent: a `Date`, or another object with `toJSON`, becomes what that returns, and
 * members that are `undefined` are left out. Throws a `TypeError` for a value that contains itself.
 */
export function asJson<T>(value: T): T {
  const text: string | undefined = stringifyJson(value)
  return text === undefined ? value : (parseJson(text) as T)
}
