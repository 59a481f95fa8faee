import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { type FieldSet, readFieldsV1 } from './field-set.js'

/** An owner of fields: one `metadata.managedFields` entry without its fields. */
export interface Manager {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  /** `''` for the object itself. */
  readonly subresource: string
}

/** One entry of `metadata.managedFields`. */
export interface ManagedEntry extends Manager {
  /** The time of the manager's last change, as `metav1.Time`. */
  readonly time: string | undefined
  readonly set: FieldSet
}

/** The managed fields of one object, by {@link managerId}. */
export type ManagedFields = ReadonlyMap<string, ManagedEntry>

/** The identity of a manager. For an applier it does not depend on the API version. */
export function managerId({ manager, operation, apiVersion, subresource }: Manager): string {
  return JSON.stringify([operation, manager, operation === 'Apply' ? '' : apiVersion, subresource])
}

/** Parses `metadata.managedFields`; `undefined` if it does not have the format of the server. */
export function readManagedFields(value: unknown): ManagedFields | undefined {
  const managed = new Map<string, ManagedEntry>()
  for (const each of Array.isArray(value) ? value : []) {
    const entry = readEntry(each)
    if (entry === undefined) return undefined
    managed.set(managerId(entry), entry)
  }
  return managed
}

function readEntry(value: unknown): ManagedEntry | undefined {
  if (!isJsonObject(value) || !isJsonObject(value.fieldsV1)) return undefined
  const { operation, manager, apiVersion, subresource, time, fieldsV1 } = value
  if (operation !== 'Apply' && operation !== 'Update') return undefined
  try {
    return {
      manager: String(manager ?? ''),
      operation,
      apiVersion: String(apiVersion ?? ''),
      subresource: String(subresource ?? ''),
      time: typeof time === 'string' ? time : undefined,
      set: readFieldsV1(fieldsV1),
    }
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Whether a client requests to clear all ownership: an empty list, or one empty entry. */
export function isReset(value: unknown): boolean {
  if (!Array.isArray(value)) return false
  const [first] = value
  return value.length === 0 || (value.length === 1 && isJsonObject(first) && Object.keys(first).length === 0)
}

/** Writes `metadata.managedFields`; `undefined` if there are no owners. */
export function writeManagedFields(managed: ManagedFields): object[] | undefined {
  const entries = [...managed.values()].filter(({ set }) => !set.isEmpty)
  if (entries.length === 0) return undefined
  if (entries.length > 1) entries.sort(byAge)
  return entries.map(writeEntry)
}

function writeEntry({ manager, operation, apiVersion, subresource, time, set }: ManagedEntry): object {
  return {
    manager,
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: set.fieldsV1,
    ...(subresource === '' ? {} : { subresource }),
  }
}

/** Appliers first, then by age; further criteria only make the order deterministic. */
function byAge(a: ManagedEntry, b: ManagedEntry): number {
  return (
    byText(a.operation, b.operation) ||
    byText(a.time ?? '', b.time ?? '') ||
    byText(a.manager, b.manager) ||
    byText(a.apiVersion, b.apiVersion) ||
    byText(a.subresource, b.subresource)
  )
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
