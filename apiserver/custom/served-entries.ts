import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Schema } from '../schema/structural-schema.js'
import { Entry } from '../store/entry.js'
import { withDefaults } from './defaults.js'
import { pruneResource } from './prune.js'

/** The schemas for reading an object from the store. */
export interface ReadingSchemas {
  /**
   * The schema of the version in which an object of a revision is stored; it removes unknown fields and sets
   * defaults.
   */
  readonly storedBy: (entry: Entry) => Schema
  /** The schema of the requested version; undefined if a webhook has converted the object. */
  readonly served: Schema | undefined
}

/**
 * Converts stored custom resources to one version, because schemas change and stored objects do not. Returns
 * the same entry if nothing changes. See "Defaulting" and "Pruning" in
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/
 */
export function servedEntries({ storedBy, served }: ReadingSchemas): (entry: Entry) => Entry {
  const servedForms = new WeakMap<Entry, Entry>()
  return (entry) => {
    const existing = servedForms.get(entry)
    if (existing !== undefined) return existing
    const object = readStored(entry.object, storedBy(entry), served)
    const { key, revision, version } = entry
    const view = object === entry.object ? entry : new Entry(key, object, revision, version)
    servedForms.set(entry, view)
    return view
  }
}

function readStored(object: KubeObject, stored: Schema, served = stored): KubeObject {
  const pruned = pruneResource({ ...object }, stored).value
  const filled = withDefaults(pruned, stored)
  const servedObject =
    stored === served ? filled : pruneResource(filled as Record<string, unknown>, served).value
  return servedObject as KubeObject
}
