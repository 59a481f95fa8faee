import { sameQuantity } from '../../engine/kube/quantity.js'
import { isEmpty, isObject } from './strip-absent.js'

/** An entry of `metadata.managedFields`. */
export interface ManagedFieldsEntry {
  manager?: string
  operation?: string
  apiVersion?: string
  subresource?: string
  fieldsV1?: unknown
}

/** The fields of an object that `manager` applied, as `fieldsV1`; undefined if it applied none. */
export function appliedBy(manager: string, managedFields: readonly unknown[] = []): unknown {
  const entries = managedFields as readonly ManagedFieldsEntry[]
  return entries.find(
    (entry) => entry.manager === manager && entry.operation === 'Apply' && !entry.subresource,
  )?.fieldsV1
}

/** Whether one of the managers has an entry. */
export function hasEntryOf(managers: readonly string[], managedFields: readonly unknown[]): boolean {
  const entries = managedFields as readonly ManagedFieldsEntry[]
  return entries.some(({ manager = '' }) => managers.includes(manager))
}

/** Members of an object's metadata that no manager owns: they identify the object. */
const identifying = ['name', 'namespace', 'uid', 'resourceVersion']

/**
 * Whether applying `intent` would change nothing: `fields` (a manager's `fieldsV1`) names exactly the fields of the intent,
 * and the live object has their values. It compares quantities by value, and atomic lists and maps whole: one that the server
 * completed with defaults counts as changed. An empty map or list of which the server has stored nothing counts as applied: a
 * further apply of it would change the resourceVersion of a custom resource, and nothing else.
 */
export function isApplied(fields: unknown, intent: object, live: object): boolean {
  return isObject(fields) && hasMembers(fields, ownable(intent), live as Record<string, unknown>)
}

function ownable(intent: object): Record<string, unknown> {
  const { apiVersion: _, kind: __, metadata, ...rest } = intent as Record<string, unknown>
  const owned = Object.entries(metadata ?? {}).filter(([name]) => !identifying.includes(name))
  return owned.length > 0 ? { ...rest, metadata: Object.fromEntries(owned) } : rest
}

/** The names of the fields below a field; `.` means the field itself. */
const below = (fields: Record<string, unknown>) => Object.keys(fields).filter((name) => name !== '.')

function has(fields: unknown, intent: unknown, live: unknown): boolean {
  if (!isObject(fields)) return false
  const names = below(fields)
  if (names.length === 0) return isDropped(intent, live) || isSameValue(intent, live)
  if (Array.isArray(intent)) return Array.isArray(live) && hasItems(fields, intent, live)
  return isObject(intent) && isObject(live) && hasMembers(fields, intent, live)
}

function hasMembers(
  fields: Record<string, unknown>,
  intent: Record<string, unknown>,
  live: Record<string, unknown>,
): boolean {
  const wanted = Object.entries(intent).filter(
    ([name, member]) => fields[`f:${name}`] !== undefined || !isDropped(member, live[name]),
  )
  if (below(fields).length !== wanted.length) return false
  return wanted.every(([name, member]) => has(fields[`f:${name}`], member, live[name]))
}

/** Whether the server has stored nothing of an empty map or list. */
const isDropped = (intent: unknown, live: unknown) => live === undefined && isEmpty(intent)

function hasItems(
  fields: Record<string, unknown>,
  intent: readonly unknown[],
  live: readonly unknown[],
): boolean {
  const names = below(fields)
  if (names.length !== intent.length) return false
  return names.every((name) => {
    const value: unknown = JSON.parse(name.slice(2))
    if (name.startsWith('v:')) return intent.includes(value) && live.includes(value)
    const [wanted, there] = [itemWith(value, intent), itemWith(value, live)]
    return wanted !== undefined && has(fields[name], wanted, there)
  })
}

/** The item of an associative list with a key. The key may have members that the item leaves to their defaults. */
function itemWith(key: unknown, items: readonly unknown[]): unknown {
  const members = Object.entries(key ?? {})
  return items.find(
    (item) =>
      isObject(item) && members.every(([name, value]) => item[name] === undefined || item[name] === value),
  )
}

function isSameValue(intent: unknown, live: unknown): boolean {
  if (Array.isArray(intent)) return isSameList(intent, live)
  if (!isObject(intent)) return intent === live || sameQuantity(intent, live)
  if (!isObject(live)) return false
  const names = Object.keys(intent)
  return (
    names.length === Object.keys(live).length && names.every((name) => isSameValue(intent[name], live[name]))
  )
}

function isSameList(intent: readonly unknown[], live: unknown): boolean {
  if (!Array.isArray(live) || live.length !== intent.length) return false
  return intent.every((item, index) => isSameValue(item, live[index]))
}
