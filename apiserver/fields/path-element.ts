import { stringifyJson } from '../../sdk/engine/kube/json.js'
import type { PathElement } from './field-set.js'

/** The named member of an object. */
export const fieldElement = (name: string): PathElement => `f:${name}`

/** The value in a set. */
export const valueElement = (value: unknown): PathElement => `v:${stringifyJson(value)}`

/** The element of a list with these keys. */
export function keyElement(keys: readonly (readonly [string, unknown])[]): PathElement {
  const sorted = [...keys].sort(([a], [b]) => (a < b ? -1 : 1))
  return `k:${stringifyJson(Object.fromEntries(sorted))}`
}

/** A path in the format of API messages, for example `.spec.ports[port=80,protocol="TCP"].name`. */
export function showPath(path: readonly PathElement[]): string {
  return path.map(showElement).join('')
}

/** One step in the format of API messages. */
export function showElement(element: PathElement): string {
  const content = element.slice(2)
  switch (element.charAt(0)) {
    case 'f':
      return `.${content}`
    case 'k':
      return `[${Object.entries(JSON.parse(content) as object)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join()}]`
    case 'v':
      return `[=${content}]`
    default:
      return `[${content}]`
  }
}
