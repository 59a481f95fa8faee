import type { Clock } from '../../engine/time/clock.js'
import type { CnpgCluster } from '../cluster/cluster.js'

/** An unchanged status is sent at most {@link maxSent} times in this time, in milliseconds. */
const defaultPauseMs = 60_000
const maxSent = 2

/** Options of {@link SentStatuses}. */
export interface SentStatusesOptions {
  clock: Clock
  /** Default one minute; 0 sends each status. */
  pauseMs?: number | undefined
}

/**
 * The statuses that were sent for Clusters in the last minute. Operators up to 1.30.0 clear the status of a plugin at
 * each reconciliation, and writing the status causes the next reconciliation: sending it each time would be an endless
 * loop on an idle Cluster. So an unchanged status is sent twice, in case the operator could not write it at first, and
 * then only after a pause.
 */
export class SentStatuses {
  readonly #clock: Clock
  readonly #pauseMs: number
  readonly #sent = new Map<string, { text: string; times: number; atMs: number }>()

  constructor({ clock, pauseMs = defaultPauseMs }: SentStatusesOptions) {
    this.#clock = clock
    this.#pauseMs = pauseMs
  }

  /** Whether to send a status now; then it counts as sent. */
  shouldSend({ metadata: { uid, namespace, name } }: CnpgCluster, status: Buffer): boolean {
    const nowMs = this.#clock.now()
    for (const [key, { atMs }] of this.#sent) if (nowMs - atMs >= this.#pauseMs) this.#sent.delete(key)
    const key = uid ?? `${namespace}/${name}`
    const text = status.toString()
    const last = this.#sent.get(key)
    const { times, atMs } = last?.text === text ? last : { times: 0, atMs: nowMs }
    if (times >= maxSent) return false
    this.#sent.set(key, { text, times: times + 1, atMs })
    return true
  }
}
