import type { ObjectMeta } from '../../sdk/engine/kube/object.js'
import { formatTime } from '../base/clock.js'
import type { OpenObject } from '../base/object.js'

/** The fields of the metadata by which an object is being deleted. */
export type DeletionMark = Required<Pick<ObjectMeta, 'deletionTimestamp' | 'deletionGracePeriodSeconds'>>

/**
 * The mark after a delete; `grace` is undefined if the delete is not graceful. A later delete never postpones the
 * deletion: it can only shorten the grace period. Follows `BeforeDelete` and `markAsDeleting` of k8s.io/apiserver
 * v0.36.3.
 */
export function markOf({ metadata }: OpenObject, grace: number | undefined, now: Date): DeletionMark {
  const { deletionTimestamp, deletionGracePeriodSeconds: pending = 0 } = metadata
  const nowMs = now.getTime()
  if (deletionTimestamp === undefined) return markAt(nowMs + millisecondsOf(grace ?? 0), grace ?? 0)
  const begunMs = Date.parse(deletionTimestamp)
  if (grace === undefined) return markAt(Math.min(begunMs, nowMs), 0)
  const shortenedMs = begunMs - millisecondsOf(pending) + millisecondsOf(grace)
  // A period that is already over becomes the shortest one, so that a node can still end the object gracefully.
  return shortenedMs < nowMs ? markAt(nowMs, Math.min(grace, 1)) : markAt(shortenedMs, grace)
}

function markAt(atMs: number, deletionGracePeriodSeconds: number): DeletionMark {
  return { deletionTimestamp: formatTime(new Date(atMs)), deletionGracePeriodSeconds }
}

/** A period as Go counts it: in nanoseconds, of which 64 bits remain. */
function millisecondsOf(seconds: number): number {
  return Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n)) / 1e6
}
