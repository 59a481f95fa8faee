import { fieldAt, type OpenObject, recordOf, textAt } from '../../base/object.js'
import { formatAge } from '../age.js'
import { selectorText } from '../selector-text.js'
import type { Cell } from './column.js'

/** The field as text; `''` if it is missing. */
export const text =
  (...path: readonly string[]): Cell =>
  (object) =>
    textAt(object, ...path)

/** The field as text; `instead` if it is missing or empty. */
export const textOr =
  (instead: string, ...path: readonly string[]): Cell =>
  (object) =>
    textAt(object, ...path) || instead

/** The field of a Go pointer as text; `instead` if it is missing. */
export const pointer =
  (instead: string, ...path: readonly string[]): Cell =>
  (object) =>
    String(fieldAt(object, ...path) ?? instead)

/** The field as a number; 0 if it is missing. */
export const count =
  (...path: readonly string[]): Cell =>
  (object) =>
    fieldAt(object, ...path) ?? 0

/** Whether the field is true; `otherwise` (default false) if it is missing. */
export const flag =
  (path: readonly string[], otherwise = false): Cell =>
  (object) =>
    fieldAt(object, ...path) ?? otherwise

/** The number of elements of a list. */
export const lengthOf =
  (...path: readonly string[]): Cell =>
  (object) =>
    elementsAt(object, ...path).length

/** The time since the time in the field. */
export const age =
  (...path: readonly string[]): Cell =>
  (object, now) =>
    formatAge(textAt(object, ...path), now)

/** A label selector in the format of `labels.Selector.String()`; `<none>` for an empty one. */
export const selector =
  (...path: readonly string[]): Cell =>
  (object) =>
    selectorText(fieldAt(object, ...path)) || '<none>'

/** Labels, for example `app=web,tier=front`, or `<none>`. */
export const labels =
  (...path: readonly string[]): Cell =>
  (object) => {
    const pairs = Object.entries(recordOf(fieldAt(object, ...path))).map(([key, value]) => `${key}=${value}`)
    return pairs.sort().join(',') || '<none>'
  }

/** The two columns for the containers of a pod template's `spec` at `path`. */
export const containers = (...path: readonly string[]): Readonly<Record<string, Cell>> => ({
  Containers: (object) => joinMembers(elementsAt(object, ...path, 'containers'), 'name'),
  Images: (object) => joinMembers(elementsAt(object, ...path, 'containers'), 'image'),
})

function joinMembers(elements: readonly Record<string, unknown>[], member: string): string {
  return elements.map((element) => textAt(element, member)).join(',')
}

/** The objects of a list; empty if there is no list. */
export function elementsAt(value: unknown, ...path: readonly string[]): Record<string, unknown>[] {
  return listAt(value, ...path).map(recordOf)
}

/** The elements of a list; empty if there is no list. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = fieldAt(value, ...path)
  return Array.isArray(list) ? list : []
}

/** The first `limit` texts, and the number of further ones of `total`. */
export function firstOf(texts: readonly string[], limit: number, total = texts.length): string {
  const shownText = texts.slice(0, limit).join(',')
  return texts.length > limit ? `${shownText} + ${total - limit} more...` : shownText
}

/** Whether the object has the annotation with the value `true`. */
export function isMarked({ metadata }: OpenObject, ...annotations: readonly string[]): boolean {
  return annotations.some((annotation) => metadata.annotations?.[annotation] === 'true')
}
