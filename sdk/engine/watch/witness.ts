import type { ObjectMeta } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import { compareResourceVersions } from '../kube/resource-version.js'
import type { WatchScope } from './watch-scope.js'

/**
 * The last change that was seen. A cluster that does not have this change has another history than the watched cluster.
 */
export interface Witness {
  readonly resource: Resource
  readonly name: string
  readonly namespace: string | undefined
  readonly uid: string | undefined
  /** The revision of the change. */
  readonly resourceVersion: string
  readonly deleted: boolean
  /** The writers of the object, with times. */
  readonly managedFields: readonly unknown[] | undefined
  /**
   * Whether the API server can be asked for the change. An object may leave a selection without being deleted, and the
   * revision before a deletion can be computed only from a number.
   */
  readonly provable: boolean
}

/** The compared members of an object's metadata. */
export type SeenObject = Pick<ObjectMeta, 'uid' | 'resourceVersion' | 'managedFields'>

/** Makes a witness from an object of a watch or list; `undefined` for an object without a name or resourceVersion. */
export function witnessOf(scope: WatchScope, metadata: ObjectMeta, deleted: boolean): Witness | undefined {
  const { name, namespace, uid, resourceVersion, managedFields } = metadata
  if (name === undefined || resourceVersion === undefined) return undefined
  const isNumber = compareResourceVersions(resourceVersion, resourceVersion) === 0
  const provable = isNumber && (!deleted || !isSelective(scope))
  const { resource } = scope
  return { resource, name, namespace, uid, resourceVersion, deleted, managedFields, provable }
}

/** Whether an object is in exactly the state of the witness. */
export function isWitnessed(witness: Witness, seen: SeenObject | undefined): boolean {
  if (seen?.uid !== witness.uid || seen?.resourceVersion !== witness.resourceVersion) return false
  const [witnessStamp, seenStamp] = [stampOf(witness), stampOf(seen)]
  // After a restore the same object may be written at the same revision again, but not at the same time.
  return witnessStamp === '' || seenStamp === '' || witnessStamp === seenStamp
}

/** The writers of an object and the times of their last writes; `''` if the API server does not report them. */
function stampOf({ managedFields = [] }: Pick<SeenObject, 'managedFields'> | Witness): string {
  const entries = managedFields as { manager?: string; time?: string }[]
  return entries.map(({ manager, time }) => `${manager} ${time}`).join()
}

/** Whether an object can leave the watch without being deleted; its name does not change. */
function isSelective({ labelSelector, fieldSelector }: WatchScope): boolean {
  return Boolean(labelSelector) || (Boolean(fieldSelector) && !fieldSelector?.startsWith('metadata.name='))
}
