import type { OpenObject } from '../base/object.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { DeleteOptions } from './delete-options.js'

/**
 * Whether a gracefully deleted object stays as it is, with its finalizers: only a shorter grace period changes it.
 */
export function isEnding(
  { rules }: ServedResource,
  { metadata }: OpenObject,
  { gracePeriodSeconds: requested }: DeleteOptions,
) {
  const { deletionTimestamp, deletionGracePeriodSeconds: seconds = 0 } = metadata
  const isGraceful = rules.delete?.gracePeriodSeconds !== undefined
  if (!isGraceful || deletionTimestamp === undefined || seconds === 0) return false
  return requested === undefined || positivePeriod(requested) >= seconds
}

/** The grace period of a delete in seconds; undefined if the delete is not graceful, or no longer. */
export function gracePeriodOf(
  { rules }: ServedResource,
  object: OpenObject,
  { gracePeriodSeconds: requested }: DeleteOptions,
): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds: pending = 0 } = object.metadata
  const ofKind = rules.delete?.gracePeriodSeconds
  if (ofKind === undefined || deletionTimestamp === undefined) return ofKind?.(object, requested)
  return pending === 0 || requested === undefined ? undefined : positivePeriod(requested)
}

/** A negative period counts as one second. */
const positivePeriod = (seconds: number) => (seconds < 0 ? 1 : seconds)
