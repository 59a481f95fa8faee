import { capManagers } from './cap-managers.js'
import { compare } from './compare.js'
import type { FieldType } from './field-type.js'
import { type ManagedFields, type Manager, managerId } from './managed-fields.js'
import { afterChange, type ChangeIn } from './ownership.js'

/** A write that is no apply. */
export interface TrackedUpdate {
  readonly type: FieldType
  readonly live: unknown
  readonly next: unknown
  readonly managed: ManagedFields
  readonly manager: Manager
  /** The change in the versions of other managers; left out, their fields are taken to be those of this one. */
  readonly changeIn?: ChangeIn
  /** As `metav1.Time`; undefined for writes whose time is not kept. */
  readonly now: string | undefined
}

/**
 * Who owns what after a create, update or patch: its manager everything that it changed, and nobody what it
 * removed. The argument's own managed fields when it changed nothing.
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export function trackUpdate(update: TrackedUpdate): ManagedFields {
  const { type, live, next, managed, manager, now, changeIn } = update
  const comparison = compare(live, next, type)
  const { added, modified, removed } = comparison
  const written = added.union(modified)
  if (written.isEmpty && removed.isEmpty) return managed
  const id = managerId(manager)
  const own = managed.get(id)
  const self = own?.set.covers(written) && removed.isEmpty ? id : undefined
  const after = afterChange(managed, comparison, self, changeIn)
  if (written.isEmpty) return after
  const rest = after.get(id)
  after.set(id, { ...manager, time: now, set: rest === undefined ? written : rest.set.union(written) })
  return capManagers(after)
}
