import type { Comparison } from './compare.js'
import type { FieldSet } from './field-set.js'
import type { ManagedEntry, ManagedFields } from './managed-fields.js'

/** Fields of one manager that a change writes too, so that this manager loses them. */
export interface Overlap {
  readonly entry: ManagedEntry
  readonly set: FieldSet
}

/** The fields that a change takes from other managers. The own fields of the writer, `writerId`, are ignored. */
export function overlapsOf(
  managed: ManagedFields,
  comparison: Comparison,
  writerId?: string,
  changeIn: ChangeIn = () => undefined,
): Overlap[] {
  const overlaps: Overlap[] = []
  if (comparison.added.isEmpty && comparison.modified.isEmpty) return overlaps
  for (const [id, entry] of managed) {
    if (id === writerId) continue
    const { added, modified } = changeIn(entry.apiVersion) ?? comparison
    const set = entry.set.intersection(added.union(modified))
    if (!set.isEmpty) overlaps.push({ entry, set })
  }
  return overlaps
}

/** The change in another version of the object; undefined for the version of the change itself. */
export type ChangeIn = (apiVersion: string) => Comparison | undefined

/** The ownership after a change: other managers lose fields that were written or removed. */
export function afterChange(
  managed: ManagedFields,
  comparison: Comparison,
  writerId?: string,
  changeIn: ChangeIn = () => undefined,
): Map<string, ManagedEntry> {
  const lost = changedFields(comparison)
  const after = new Map<string, ManagedEntry>()
  for (const [id, entry] of managed) {
    const elsewhere = id === writerId ? undefined : changeIn(entry.apiVersion)
    const lostFields = elsewhere === undefined ? lost : changedFields(elsewhere)
    const set = id === writerId ? entry.set : entry.set.difference(lostFields)
    if (!set.isEmpty) after.set(id, set === entry.set ? entry : { ...entry, set })
  }
  return after
}

function changedFields({ added, modified, removed }: Comparison): FieldSet {
  return added.union(modified).union(removed)
}
