import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { PluginError } from '../kube/error.js'
import { type Logger, silentLogger } from '../observe/logger.js'
import { type Clock, systemClock } from '../time/clock.js'
import { hasEnded, processIdentity } from './process-identity.js'

/** The identity and the times of a candidate for a Lease. */
export interface LeaseTimes {
  /** The candidate's identity, unique per process. Default the host name, a random UUID and {@link processIdentity}. */
  identity?: string
  /**
   * Whether the candidate with an identity has certainly ended, so that its Lease is free. Default {@link hasEnded}.
   */
  hasEnded?: (identity: string) => boolean
  /** How long other candidates wait after the last renewal that they saw, in milliseconds. Default 15,000. */
  leaseDurationMs?: number
  /** How long the leader leads after the start of its last successful renewal, in milliseconds. Default 10,000. */
  renewDeadlineMs?: number
  /**
   * The time between attempts, in milliseconds; up to 2.2 times as long while another process leads, and a quarter
   * after a failed renewal. Default 2,000.
   */
  retryPeriodMs?: number
  /** The clock of the candidate. Default the machine's clock. */
  clock?: Clock
  /** Logs who leads, and failures. Default silent. */
  logger?: Logger
  /** Jitter between candidates: a number from 0 up to 1. Default `Math.random`. */
  random?: () => number
}

/** The defaults of a candidate. */
export function leaseDefaults(): Required<LeaseTimes> {
  return {
    identity: `${hostname()}_${randomUUID()}${processIdentity()}`,
    hasEnded,
    leaseDurationMs: 15_000,
    renewDeadlineMs: 10_000,
    retryPeriodMs: 2000,
    clock: systemClock,
    logger: silentLogger,
    random: Math.random,
  }
}

/** Throws a `PluginError` `INVALID_LEASE_TIMES` unless `leaseDurationMs` > `renewDeadlineMs` > `retryPeriodMs` > 0. */
export function checkLeaseTimes({
  leaseDurationMs,
  renewDeadlineMs,
  retryPeriodMs,
}: Required<LeaseTimes>): void {
  if (leaseDurationMs > renewDeadlineMs && renewDeadlineMs > retryPeriodMs && retryPeriodMs > 0) return
  const message = `leaseDurationMs > renewDeadlineMs > retryPeriodMs > 0 must hold, got ${leaseDurationMs}, ${renewDeadlineMs} and ${retryPeriodMs}`
  throw new PluginError('INVALID_LEASE_TIMES', message)
}
