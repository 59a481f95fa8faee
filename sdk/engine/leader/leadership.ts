/**
 * Leader election. The vcluster process decides (`vclusterLeadership`), or a Lease (`leaseLeadership`), or one Lease
 * per shard of the work (`shardLeadership`).
 *
 * Leadership is won at most once per process. Its deadline is a monotonic time that is never later than what was
 * proven. A loss is reported once, with its reason in the log. `client/write-gate.ts` rejects writes after the
 * deadline; `plugin/` ends the process.
 */
import type { Observable } from 'rxjs'
import type { ShardAssignment } from './shard-assignment.js'

/**
 * Whether this process may write, however that is decided. A process that loses leadership never regains it and must
 * exit.
 */
export interface Leadership {
  /**
   * Emits `true` when leadership is won, `false` if it is lost, then completes; replays its last value. `false` without
   * a `true` before means that leadership can never be won. `release()` emits nothing.
   */
  readonly leader$: Observable<boolean>
  /**
   * The monotonic time (`Clock.now()`, milliseconds) after which no write may start; `Infinity` when nothing
   * but the end of the process ends leadership, `-Infinity` while not the leader. If replicas share the work, it is the
   * deadline of shard 0, for work that is not tied to a key; a run has its shard's own.
   */
  deadline(): number
  /** The shards that this replica leads; undefined if the leader does all of the work. */
  readonly assignment?: ShardAssignment
  /** Begins to give leadership up: idle shards go to other replicas at once, busy ones when their runs have ended. */
  drain?(): void
  /** Gives leadership up, so that a successor does not wait for a Lease to expire. */
  release(): Promise<void>
}
