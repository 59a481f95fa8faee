import { capManagers } from './cap-managers.js'
import { compare, withoutIgnored } from './compare.js'
import type { FieldSet } from './field-set.js'
import type { FieldType } from './field-type.js'
import { type ManagedFields, type Manager, managerId } from './managed-fields.js'
import { afterChange, type ChangeIn } from './ownership.js'

/** A write that is not an apply. */
export interface TrackedUpdate {
  readonly type: FieldType
  readonly live: unknown
  readonly next: unknown
  readonly managed: ManagedFields
  readonly manager: Manager
  /** The change in the versions of other managers; default the same change. */
  readonly changeIn?: ChangeIn
  /** Fields that the write cannot change; default none. */
  readonly ignored?: FieldSet
  /** As `metav1.Time`; undefined if the time of a write is not recorded. */
  readonly now: string | undefined
}

/**
 * The ownership after a create, update or patch: its manager owns everything that it changed, and removed
 * fields have no owner. Returns the given managed fields if nothing changed.
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export function trackUpdate(update: TrackedUpdate): ManagedFields {
  const { type, live, next, managed, manager, now, changeIn, ignored } = update
  const fullComparison = compare(live, next, type)
  const comparison = ignored === undefined ? fullComparison : withoutIgnored(fullComparison, ignored)
  const { added, modified, removed } = comparison
  const written = added.union(modified)
  if (written.isEmpty && removed.isEmpty) return managed
  const id = managerId(manager)
  const ownEntry = managed.get(id)
  const self = ownEntry?.set.covers(written) && removed.isEmpty ? id : undefined
  const after = afterChange(managed, comparison, self, changeIn)
  if (written.isEmpty) return after
  const rest = after.get(id)
  after.set(id, { ...manager, time: now, set: rest === undefined ? written : rest.set.union(written) })
  return capManagers(after)
}
