import { type ManagedEntry, type ManagedFields, managerId } from './managed-fields.js'

/** The maximum number of managers of plain writes that an object records separately. */
const maxUpdaters = 10
const bucketName = 'ancient-changes'

/**
 * Merges the oldest updaters if there are too many, one entry per version; `capmanagers.go` of apimachinery.
 */
export function capManagers(managed: ManagedFields): ManagedFields {
  const updaters = [...managed].filter(([, { operation }]) => operation === 'Update')
  if (updaters.length <= maxUpdaters) return managed
  updaters.sort(([a, { time: aTime = '' }], [b, { time: bTime = '' }]) =>
    aTime === bTime ? Number(a > b) - Number(a < b) : Number(aTime > bTime) - Number(aTime < bTime),
  )
  const capped = new Map(managed)
  const firsts = new Map<string, string>()
  let count = updaters.length
  for (const [id, entry] of updaters) {
    if (count <= maxUpdaters) break
    const first = firsts.get(entry.apiVersion)
    if (first === undefined) firsts.set(entry.apiVersion, id)
    else {
      mergeInto(capped, first, entry)
      capped.delete(id)
      count--
    }
  }
  return capped
}

/** The bucket of a version replaces the first entry that is merged into it. */
function mergeInto(managed: Map<string, ManagedEntry>, first: string, entry: ManagedEntry): void {
  const bucket = { ...entry, manager: bucketName, subresource: '' }
  const id = managerId(bucket)
  const before = managed.get(id) ?? managed.get(first)
  managed.delete(first)
  managed.set(id, { ...bucket, set: before === undefined ? entry.set : entry.set.union(before.set) })
}
