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

/** Who owns what after a change: nobody owns what another wrote, or what is gone. */
export function afterChange(
  managed: ManagedFields,
  { added, modified, removed }: Comparison,
  self?: string,
): Map<string, ManagedEntry> {
  const lost = added.union(modified).union(removed)
  const after = new Map<string, ManagedEntry>()
  for (const [id, entry] of managed) {
    const set = id === self ? entry.set : entry.set.difference(lost)
    if (!set.isEmpty) after.set(id, set === entry.set ? entry : { ...entry, set })
  }
  return after
}
