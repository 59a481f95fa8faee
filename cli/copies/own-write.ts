import { jsonEqual } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'

/** The default field manager of a program's writes: the beginning of its User-Agent. */
const programManager = 'vcluster-plugin-sdk'

/**
 * Whether the last change of an object was a write of the program, by the entries of `metadata.managedFields` that
 * changed. Two writes of the same fields in one second leave the same entry, so a write may go unnoticed.
 */
export function isOwnWrite(before: KubeObject, after: KubeObject): boolean {
  const earlierEntries = before.metadata.managedFields ?? []
  const changed = (after.metadata.managedFields ?? []).filter(
    (entry) => !earlierEntries.some((earlier) => jsonEqual(earlier, entry)),
  )
  return changed.length > 0 && changed.every((entry) => Object(entry).manager === programManager)
}
