import type { KubeObject } from '../../sdk/kube/object.js'
import type { Schema } from '../schema/structural-schema.js'
import { Entry } from '../store/entry.js'
import { withDefaults } from './defaults.js'
import { pruneResource } from './prune.js'

/** Which schemas an object passes between the store and a reader. */
export interface ReadingSchemas {
  /** That of the version an object of a revision is stored in: unknown fields go, and defaults come, by it. */
  readonly storedBy: (revision: number) => Schema
  /** That of the version asked for. */
  readonly served: Schema
}

/**
 * Shows stored custom resources as one version of them: schemas change, stored objects do not. The very same
 * entry comes back where that makes no difference. See "Defaulting" and "Pruning" in
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/
 */
export function servedEntries({ storedBy, served }: ReadingSchemas): (entry: Entry) => Entry {
  const shown = new WeakMap<Entry, Entry>()
  return (entry) => {
    const known = shown.get(entry)
    if (known !== undefined) return known
    const object = read(entry.object, storedBy(entry.revision), served)
    const view = object === entry.object ? entry : new Entry(entry.key, object, entry.revision)
    shown.set(entry, view)
    return view
  }
}

function read(object: KubeObject, stored: Schema, served: Schema): KubeObject {
  const kept = pruneResource({ ...object }, stored).value
  const filled = withDefaults(kept, stored)
  const shown = stored === served ? filled : pruneResource(filled as Record<string, unknown>, served).value
  return shown as KubeObject
}
