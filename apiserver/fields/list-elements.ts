import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { ownEntry } from '../base/own-entry.js'
import type { PathElement } from './field-set.js'
import type { ListType } from './field-type.js'
import { keyElement, valueElement } from './path-element.js'

/** Error for a list element without keys: the object cannot be merged. */
export class KeylessElement extends Error {
  override readonly name = 'KeylessElement'
}

/** The identity of an element in a list. Throws a {@link KeylessElement} if it has no key. */
export function elementOf(type: ListType, item: unknown): PathElement {
  if (type.merge === 'set') return valueElement(item)
  if (item === null) throw new KeylessElement('associative list with keys may not have a null element')
  if (!isJsonObject(item)) {
    throw new KeylessElement('associative list with keys may not have non-map elements')
  }
  const keys: [string, unknown][] = []
  for (const { name, default: value } of type.keys) {
    const key = ownEntry(item, name) ?? value
    if (key !== undefined) keys.push([name, key])
  }
  if (keys.length > 0) return keyElement(keys)
  const names = type.keys.map(({ name }) => JSON.stringify(name)).join(' ')
  const why = `omits all key fields [${names}] (and doesn't have default values for any key fields)`
  throw new KeylessElement(`associative list with keys has an element that ${why}`)
}

/** The elements of a list by their identity; of duplicates, the first one. */
export function indexList(type: ListType, list: readonly unknown[]): Map<PathElement, unknown> {
  const index = new Map<PathElement, unknown>()
  for (const item of list) {
    const element = elementOf(type, item)
    if (!index.has(element)) index.set(element, item)
  }
  return index
}

/** Duplicate elements of a list, with all their values; undefined if there are none. */
export function duplicatesIn(
  type: ListType,
  list: readonly unknown[],
): ReadonlyMap<PathElement, readonly unknown[]> | undefined {
  const itemsByElement = new Map<PathElement, unknown[]>()
  for (const item of list) {
    const element = elementOf(type, item)
    const existing = itemsByElement.get(element)
    if (existing === undefined) itemsByElement.set(element, [item])
    else existing.push(item)
  }
  if (itemsByElement.size === list.length) return undefined
  return new Map([...itemsByElement].filter(([, items]) => items.length > 1))
}
