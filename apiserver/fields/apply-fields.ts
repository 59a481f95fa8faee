import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { capManagers } from './cap-managers.js'
import { type Comparison, compare, withoutIgnored } from './compare.js'
import type { FieldSet } from './field-set.js'
import type { FieldType } from './field-type.js'
import { fieldsOf } from './fields-of.js'
import { type ManagedEntry, type ManagedFields, type Manager, managerId } from './managed-fields.js'
import { mergeByType } from './merge.js'
import { withNamedFields } from './named-fields.js'
import { afterChange, type Overlap, overlapsOf } from './ownership.js'
import { removeFields } from './remove-fields.js'

/** An apply: the desired fields of one manager. */
export interface Application {
  /** The fields that can be owned. */
  readonly type: FieldType
  /** The type of the whole object, including fields that cannot be owned, such as the name. */
  readonly whole: FieldType
  readonly live: object
  readonly desired: object
  readonly managed: ManagedFields
  readonly manager: Manager
  /** As `metav1.Time`; undefined if the time of a write is not recorded. */
  readonly now: string | undefined
  /** Fields that the write cannot change, and that get no owner. */
  readonly ignored: FieldSet
  /**
   * The change from the live object to `object` in the version of another manager; undefined if it is the same change.
   */
  readonly changeIn?: (apiVersion: string, object: unknown) => Comparison | undefined
}

/** The result of an apply. */
export interface ApplyResult {
  /** The new object; the live one itself if nothing changes. */
  readonly object: unknown
  readonly managed: ManagedFields
  /** Fields that other managers lose; unless the apply is forced, these are its conflicts. */
  readonly overlaps: readonly Overlap[]
}

/**
 * Merges the desired fields of a manager into an object, removes fields that it applied before and that have
 * no other owner, and updates the ownership. Follows `merge/update.go` of structured-merge-diff v6.3.3, with
 * all entries treated as of the present version. Throws an `Error` for a list element without its keys.
 */
export function applyFields(application: Application): ApplyResult {
  const { type, whole: wholeType, live, desired, managed, manager, now, ignored } = application
  const id = managerId(manager)
  const last = managed.get(id)
  const set = fieldsOf(desired, type).recursiveDifference(ignored)
  const claimed = new Map(managed).set(id, { ...manager, time: last?.time, set })
  const merged = mergeByType(live, desired, type)
  const object =
    last === undefined ? merged : prune(merged, { desired, last: last.set, claimed, type: wholeType })
  const comparison = withoutIgnored(compare(live, object, type), ignored)
  const elsewhere = (version: string) => {
    const change = application.changeIn?.(version, object)
    return change === undefined ? undefined : withoutIgnored(change, ignored)
  }
  const overlaps = overlapsOf(claimed, comparison, id, elsewhere)
  const after = afterChange(claimed, comparison, id, elsewhere)
  const ownEntry = after.get(id)
  if (jsonEqual(live, object)) return { object: live, managed: after, overlaps }
  if (ownEntry !== undefined) after.set(id, { ...ownEntry, time: now })
  return { object, managed: capManagers(after), overlaps }
}

interface PruneInput {
  readonly desired: object
  /** The fields that the manager applied last time. */
  readonly last: FieldSet
  readonly claimed: ReadonlyMap<string, ManagedEntry>
  readonly type: FieldType
}

/** Removes fields that were applied last time and are not claimed any more. */
function prune(merged: unknown, { desired, last, claimed, type }: PruneInput): unknown {
  const named = (set: FieldSet) => withNamedFields(set, type)
  const before = named(fieldsOf(merged, type))
  const lastNamed = named(last)
  const without = named(fieldsOf(removeFields(merged, lastNamed, type), type))
  let owned = fieldsOf(desired, type)
  for (const { set } of claimed.values()) owned = owned.union(set)
  const pruned = removeFields(merged, before.difference(without.union(named(owned))), type)
  const prunedFields = before.difference(named(fieldsOf(pruned, type))).intersection(lastNamed)
  return prunedFields.isEmpty ? merged : removeFields(merged, prunedFields, type)
}
