import { ApiError, isGone, isNotFound } from '../kube/error.js'
import { SilentWatchError } from './silence-timer.js'
import type { RestartReason } from './watch-metrics.js'

/** How much earlier than requested a server may end a watch without being suspected of a restore, in milliseconds. */
const earlyEndMs = 5000

/** The cluster was restored: earlier states do not count any more. */
export class RestoredClusterError extends Error {
  override readonly name = 'RestoredClusterError'
}

/** Ends a watch that left objects out, so that they are listed. */
export class RoomAgainError extends Error {
  override readonly name = 'RoomAgainError'

  constructor() {
    super('there is memory again for the objects that were left out; listing them')
  }
}

/** Ends a watch after one of its lines, which was kept to be parsed later, could not be parsed. */
export class UnreadableEventError extends Error {
  override readonly name = 'UnreadableEventError'

  constructor() {
    super('a line of the watch could not be read; listing again')
  }
}

/** Why a watch ended; `undefined` means that the API server ended it in order. */
export function restartReason(error: unknown): RestartReason {
  if (error === undefined) return 'closed'
  if (isGone(error)) return 'expired'
  if (isNotFound(error)) return 'unserved'
  if (error instanceof RoomAgainError) return 'full'
  if (error instanceof ApiError) return 'refused'
  return error instanceof SilentWatchError ? 'silent' : 'broken'
}

/**
 * Whether the cluster may have been restored if a watch ends for this reason, `earlyMs` milliseconds early. The API
 * server may have been down.
 */
export function isDoubtful(reason: RestartReason, earlyMs: number): boolean {
  return reason === 'closed'
    ? earlyMs > earlyEndMs
    : reason === 'broken' || reason === 'silent' || reason === 'refused'
}
