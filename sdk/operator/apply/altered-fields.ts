import { isJsonObject } from '../../engine/kube/json-object.js'
import { isSameQuantity } from '../../engine/kube/quantity.js'
import { itemFinder } from './list-items.js'

/**
 * The paths of intended scalars that the API server stored with another value, for example `spec.replicas`: admission
 * changed them. A quantity in another form and a time in another form are the same value. A field that is not stored
 * does not count, because some fields are write-only.
 */
export function alteredFields(intent: unknown, stored: unknown, path = ''): string[] {
  if (Array.isArray(intent)) return alteredItems(intent, stored, path)
  if (isJsonObject(intent)) {
    if (!isJsonObject(stored)) return []
    return Object.entries(intent).flatMap(([name, member]) =>
      alteredFields(member, stored[name], path === '' ? name : `${path}.${name}`),
    )
  }
  const isAbsent = stored === undefined || stored === null || isJsonObject(stored) || Array.isArray(stored)
  return isAbsent || intent === '' || isSameScalar(intent, stored) ? [] : [path]
}

/** Items of lists of scalars are not compared: other managers may have added items. */
function alteredItems(intent: readonly unknown[], stored: unknown, path: string): string[] {
  if (!Array.isArray(stored) || !intent.every(isJsonObject)) return []
  const find = itemFinder(intent, stored)
  return intent.flatMap((item, index) => alteredFields(item, find(index), `${path}[${index}]`))
}

function isSameScalar(intent: unknown, stored: unknown): boolean {
  return intent === stored || isSameQuantity(intent, stored) || isSameTime(intent, stored)
}

const timePattern = /^\d{4}-\d{2}-\d{2}T/

function isSameTime(intent: unknown, stored: unknown): boolean {
  if (typeof intent !== 'string' || typeof stored !== 'string') return false
  if (!timePattern.test(intent) || !timePattern.test(stored)) return false
  return Math.abs(Date.parse(intent) - Date.parse(stored)) < 1000
}
