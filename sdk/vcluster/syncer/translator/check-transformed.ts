import type { KubeObject } from '../../../engine/kube/object.js'

/** Throws a `TypeError` unless a syncer's `transform` has returned an object: `dev` does not check types. */
export function checkTransformed(syncer: string, object: KubeObject): void {
  const { metadata } = Object(object) as Partial<KubeObject>
  if (metadata !== undefined && metadata !== null) return
  const given =
    typeof object === 'object' && object !== null ? 'an object without metadata' : String(typeof object)
  throw new TypeError(
    `transform of syncer ${syncer} returned ${given}; return the object to copy, for example { ...object, data }`,
  )
}
