import { isJsonObject } from '../../engine/kube/json-object.js'
import { IndexedItems } from './indexed-items.js'
import { isStoredAs } from './is-stored-as.js'
import { isEmpty } from './strip-absent.js'

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

/** The members of metadata that identify an object; no manager owns them. */
const identityFields = ['name', 'namespace', 'uid', 'resourceVersion']

/** Fields of built-in kinds whose members are owned one by one, and that are often sent empty. */
const granularFields: ReadonlySet<string> = new Set([
  ...['metadata', 'resources', 'securityContext', 'spec', 'strategy', 'template', 'updateStrategy'],
])

/**
 * Whether applying `intent` would change nothing: `fields` (a manager's `fieldsV1`) names exactly the fields of the
 * intent, and the live object has their values, as `isStoredAs` compares them. An empty map or list of which the server
 * has stored nothing counts as applied: a further apply of it would change the resourceVersion of a custom resource,
 * and nothing else. The same holds for an empty `status`, which belongs to a subresource.
 */
export function isApplied(
  fields: unknown,
  { intent, live, isBuiltIn }: { intent: object; live: object; isBuiltIn: boolean },
): boolean {
  if (!isJsonObject(fields)) return false
  return new FieldComparison(isBuiltIn).hasMembers(
    fields,
    ownableFields(fields, intent),
    live as Record<string, unknown>,
  )
}

function ownableFields(fields: Record<string, unknown>, intent: object): Record<string, unknown> {
  const { apiVersion: _, kind: __, metadata, status, ...rest } = intent as Record<string, unknown>
  const owned = Object.entries(metadata ?? {}).filter(([name]) => !identityFields.includes(name))
  const isOwnStatus = fields['f:status'] !== undefined || !isStoredAs(status, undefined, true)
  return {
    ...rest,
    ...(owned.length > 0 && { metadata: Object.fromEntries(owned) }),
    ...(status !== undefined && isOwnStatus && { status }),
  }
}

/** The names of the fields below a field; `.` means the field itself. */
const childNames = (fields: Record<string, unknown>) => Object.keys(fields).filter((name) => name !== '.')

/** Compares the fields of a manager with an intent and the live object. */
class FieldComparison {
  readonly #isBuiltIn: boolean

  constructor(isBuiltIn: boolean) {
    this.#isBuiltIn = isBuiltIn
  }

  hasMembers(
    fields: Record<string, unknown>,
    intent: Record<string, unknown>,
    live: Record<string, unknown>,
  ): boolean {
    const wanted = Object.entries(intent).filter(
      ([name, member]) => fields[`f:${name}`] !== undefined || !isDropped(member, live[name]),
    )
    if (childNames(fields).length !== wanted.length) return false
    return wanted.every(([name, member]) =>
      this.#has(fields[`f:${name}`], { name, intent: member, live: live[name] }),
    )
  }

  #has(fields: unknown, { name, intent, live }: { name: string; intent: unknown; live: unknown }): boolean {
    if (!isJsonObject(fields)) return false
    if (childNames(fields).length === 0) {
      const isOthers = this.#isBuiltIn && granularFields.has(name) && isEmpty(intent)
      return isOthers || isStoredAs(intent, live, this.#isBuiltIn)
    }
    if (Array.isArray(intent)) return Array.isArray(live) && this.#hasItems(fields, intent, live)
    return isJsonObject(intent) && isJsonObject(live) && this.hasMembers(fields, intent, live)
  }

  #hasItems(fields: Record<string, unknown>, intent: readonly unknown[], live: readonly unknown[]): boolean {
    const names = childNames(fields)
    if (names.length !== intent.length) return false
    const [wantedItems, liveItems] = [new IndexedItems(intent), new IndexedItems(live)]
    const [wantedValues, liveValues] = [new Set(intent), new Set(live)]
    return names.every((name) => {
      const value: unknown = JSON.parse(name.slice(2))
      if (name.startsWith('v:')) return wantedValues.has(value) && liveValues.has(value)
      const [wanted, there] = [itemWith(value, wantedItems), itemWith(value, liveItems)]
      return wanted !== undefined && this.#has(fields[name], { name, intent: wanted, live: there })
    })
  }
}

/** Whether the server has stored nothing of an empty map or list. */
const isDropped = (intent: unknown, live: unknown) => (live === undefined || live === null) && isEmpty(intent)

/** The item of an associative list with a key. The key may have members that the item leaves to their defaults. */
function itemWith(key: unknown, items: IndexedItems): unknown {
  const members = isJsonObject(key) ? key : {}
  return items.find(members) ?? items.findWithDefaults(members)
}
