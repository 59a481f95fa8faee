import { jsonEqual } from '../../sdk/kube/json.js'
import { capManagers } from './cap-managers.js'
import { type Comparison, compare } from './compare.js'
import type { FieldSet } from './field-set.js'
import type { FieldType } from './field-type.js'
import { fieldsOf } from './fields-of.js'
import { type ManagedEntry, type ManagedFields, type Manager, managerId } from './managed-fields.js'
import { mergeByType } from './merge.js'
import { withNamedFields } from './named-fields.js'
import { afterChange, type Loss, lossesOf } from './ownership.js'
import { removeFields } from './remove-fields.js'

/** An apply: what one manager wants to be true of an object. */
export interface Application {
  /** The fields that somebody can own. */
  readonly type: FieldType
  /** The same with those that nobody owns: a name keeps the metadata that it is in. */
  readonly whole: FieldType
  readonly live: object
  readonly wanted: object
  readonly managed: ManagedFields
  readonly manager: Manager
  /** As `metav1.Time`; undefined for writes whose time is not kept. */
  readonly now: string | undefined
  /** Fields that the write cannot change, and whose owner nobody becomes. */
  readonly ignored: FieldSet
}

/** What an apply comes to. */
export interface Applied {
  /** The object as it would be; the live one itself when nothing changes. */
  readonly object: unknown
  readonly managed: ManagedFields
  /** What other managers lose; unless the apply is forced, these are its conflicts. */
  readonly losses: readonly Loss[]
}

/**
 * Merges what a manager wants into an object, takes away what it wanted before and nobody else owns, and finds
 * out who owns what from then on. Follows `merge/update.go` of structured-merge-diff v6.3.3, with every entry
 * taken to be of the version at hand. Throws an `Error` for a list element without its keys.
 */
export function applyFields(application: Application): Applied {
  const { type, whole, live, wanted, managed, manager, now, ignored } = application
  const id = managerId(manager)
  const last = managed.get(id)
  const set = fieldsOf(wanted, type).recursiveDifference(ignored)
  const claimed = new Map(managed).set(id, { ...manager, time: last?.time, set })
  const merged = mergeByType(live, wanted, type)
  const object = last === undefined ? merged : prune(merged, { wanted, last: last.set, claimed, type: whole })
  const comparison = withoutIgnored(compare(live, object, type), ignored)
  const losses = lossesOf(claimed, comparison, id)
  const after = afterChange(claimed, comparison, id)
  const own = after.get(id)
  if (jsonEqual(live, object)) return { object: live, managed: after, losses }
  if (own !== undefined) after.set(id, { ...own, time: now })
  return { object, managed: capManagers(after), losses }
}

/** What the write cannot change is no difference, whatever it says of it. */
function withoutIgnored({ added, modified, removed }: Comparison, ignored: FieldSet): Comparison {
  return {
    added: added.recursiveDifference(ignored),
    modified: modified.recursiveDifference(ignored),
    removed: removed.recursiveDifference(ignored),
  }
}

interface Pruning {
  readonly wanted: object
  /** What the manager applied the last time. */
  readonly last: FieldSet
  readonly claimed: ReadonlyMap<string, ManagedEntry>
  readonly type: FieldType
}

/** Takes away what was applied the last time and is claimed by nobody now. */
function prune(merged: unknown, { wanted, last, claimed, type }: Pruning): unknown {
  const named = (set: FieldSet) => withNamedFields(set, type)
  const before = named(fieldsOf(merged, type))
  const lastNamed = named(last)
  const without = named(fieldsOf(removeFields(merged, lastNamed, type), type))
  let owned = fieldsOf(wanted, type)
  for (const { set } of claimed.values()) owned = owned.union(set)
  const pruned = removeFields(merged, before.difference(without.union(named(owned))), type)
  const gone = before.difference(named(fieldsOf(pruned, type))).intersection(lastNamed)
  return gone.isEmpty ? merged : removeFields(merged, gone, type)
}
