import type { LeaseTimes } from './lease-times.js'

const standbyJitter = 0.2
const hurryFactor = 4

/** The state of a replica after a round of reading and writing its Leases. */
export interface RoundState {
  readonly isLeading: boolean
  /** Whether a call of the round has failed. */
  readonly hasFailed: boolean
}

/**
 * The time to the next round, in milliseconds. Replicas on standby spread their rounds. A leading replica that could
 * not renew tries again soon.
 */
export function roundPauseMs(
  { retryPeriodMs, random }: Pick<Required<LeaseTimes>, 'retryPeriodMs' | 'random'>,
  { isLeading, hasFailed }: RoundState,
): number {
  if (!isLeading) return retryPeriodMs * (1 + standbyJitter * random())
  return hasFailed ? retryPeriodMs / hurryFactor : retryPeriodMs
}
