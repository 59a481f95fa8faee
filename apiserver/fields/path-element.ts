import { stringifyJson } from '../../sdk/kube/json.js'
import type { PathElement } from './field-set.js'

/** The member of that name of an object. */
export const fieldElement = (name: string): PathElement => `f:${name}`

/** The value in a list that is a set. */
export const valueElement = (value: unknown): PathElement => `v:${stringifyJson(value)}`

/** The element of a list that has these keys. */
export function keyElement(keys: readonly (readonly [string, unknown])[]): PathElement {
  const sorted = [...keys].sort(([a], [b]) => (a < b ? -1 : 1))
  return `k:${stringifyJson(Object.fromEntries(sorted))}`
}

/** A path as the messages of the API show it, for example `.spec.ports[port=80,protocol="TCP"].name`. */
export function showPath(path: readonly PathElement[]): string {
  return path.map(showElement).join('')
}

/** One step as the messages of the API show it. */
export function showElement(element: PathElement): string {
  const rest = element.slice(2)
  switch (element.charAt(0)) {
    case 'f':
      return `.${rest}`
    case 'k':
      return `[${Object.entries(JSON.parse(rest) as object)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join()}]`
    case 'v':
      return `[=${rest}]`
    default:
      return `[${rest}]`
  }
}
