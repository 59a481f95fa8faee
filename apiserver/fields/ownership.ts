import type { Comparison } from './compare.js'
import type { FieldSet } from './field-set.js'
import type { ManagedEntry, ManagedFields } from './managed-fields.js'

/** Fields that one manager loses because another writes them. */
export interface Loss {
  readonly entry: ManagedEntry
  readonly set: FieldSet
}

/** Whose fields a change takes away; the writer's own, by `self`, are not looked at. */
export function lossesOf(managed: ManagedFields, { added, modified }: Comparison, self?: string): Loss[] {
  const written = added.union(modified)
  const losses: Loss[] = []
  if (written.isEmpty) return losses
  for (const [id, entry] of managed) {
    if (id === self) continue
    const set = entry.set.intersection(written)
    if (!set.isEmpty) losses.push({ entry, set })
  }
  return losses
}

/** A change as it looks in another version of the object; nothing for the version it was made in. */
export type ChangeIn = (apiVersion: string) => Comparison | undefined

/** Who owns what after a change: nobody owns what another wrote, or what is gone. */
export function afterChange(
  managed: ManagedFields,
  comparison: Comparison,
  self?: string,
  changeIn: ChangeIn = () => undefined,
): Map<string, ManagedEntry> {
  const lost = lostBy(comparison)
  const after = new Map<string, ManagedEntry>()
  for (const [id, entry] of managed) {
    const elsewhere = id === self ? undefined : changeIn(entry.apiVersion)
    const gone = elsewhere === undefined ? lost : lostBy(elsewhere)
    const set = id === self ? entry.set : entry.set.difference(gone)
    if (!set.isEmpty) after.set(id, set === entry.set ? entry : { ...entry, set })
  }
  return after
}

function lostBy({ added, modified, removed }: Comparison): FieldSet {
  return added.union(modified).union(removed)
}
