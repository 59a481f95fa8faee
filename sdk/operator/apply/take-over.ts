import merge from 'lodash/merge.js'
import type { JsonPatchOperation } from '../../engine/kube/json-patch/operation.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { ManagedFieldsEntry } from './managed-leaves.js'

/** Options of {@link takeOver}. */
export interface TakeOverOptions {
  /** The new name of each former field manager. */
  renamed: ReadonlyMap<string, string>
  /** Only fields that were written in this version are taken over; another version may name fields differently. */
  apiVersion: string
  /** The subresource by which the fields were written, for example `status`; default the object itself. */
  subresource?: string
  /** Selects the entries of the former managers that are taken over; default all. */
  selects?: (entry: ManagedFieldsEntry) => boolean
}

/**
 * The JSON patch that makes the fields of former managers, whether they updated or applied them, applied fields of the
 * new ones. Without it two managers own each field, and a field that the new one leaves out would stay forever.
 * Undefined if the former managers own nothing. The patch is refused with 409 Conflict if the object has changed since.
 */
export function takeOver(live: KubeObject, options: TakeOverOptions): JsonPatchOperation[] | undefined {
  const { managedFields = [], resourceVersion } = live.metadata
  const entries = managedFields as readonly ManagedFieldsEntry[]
  const managers = new Set(entries.filter((entry) => isFormer(entry, options)).map(newNameOf(options)))
  if (managers.size === 0) return undefined
  const value = [...managers].reduce<readonly ManagedFieldsEntry[]>(
    (all, manager) => joinEntries(all, manager, options),
    entries,
  )
  return [
    { op: 'replace', path: '/metadata/managedFields', value },
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
  ]
}

const newNameOf =
  ({ renamed }: TakeOverOptions) =>
  ({ manager = '' }: ManagedFieldsEntry) =>
    renamed.get(manager) ?? manager

function isFormer(entry: ManagedFieldsEntry, options: TakeOverOptions): boolean {
  const { renamed, apiVersion, subresource = '', selects = () => true } = options
  return (
    renamed.has(entry.manager ?? '') &&
    entry.apiVersion === apiVersion &&
    (entry.subresource ?? '') === subresource &&
    selects(entry)
  )
}

/** The entries with one of the new manager in place of its own and those of its former names. */
function joinEntries(
  entries: readonly ManagedFieldsEntry[],
  manager: string,
  options: TakeOverOptions,
): ManagedFieldsEntry[] {
  const { apiVersion, subresource = '' } = options
  const isOwn = (entry: ManagedFieldsEntry) =>
    entry.manager === manager && entry.operation === 'Apply' && (entry.subresource ?? '') === subresource
  const isTaken = (entry: ManagedFieldsEntry) =>
    isOwn(entry) || (isFormer(entry, options) && newNameOf(options)(entry) === manager)
  const takenEntries = entries.filter(isTaken)
  const ownEntry: ManagedFieldsEntry = {
    ...takenEntries[0],
    manager,
    operation: 'Apply',
    apiVersion,
    fieldsV1: merge({}, ...takenEntries.map(({ fieldsV1 }) => fieldsV1)),
  }
  return [...entries.filter((entry) => !isTaken(entry)), ownEntry]
}
