/**
 * Who may write: the vcluster process we serve (`vclusterLeadership`), a Lease of our own (`leaseLeadership`), or a Lease
 * for each shard of the work (`shardLeadership`).
 *
 * Promises that leadership is won at most once, that its deadline is a monotonic time and only ever as late as what
 * was proven, and that a loss is said once, with its reason in the log. Leaves to `client/write-gate.ts` to refuse
 * writes after the deadline, and to `plugin/` to end the process.
 */
import type { Observable } from 'rxjs'
import type { ShardShare } from './shard-share.js'

/**
 * Who may write. Whatever decides it (vcluster's own leadership, a Lease), the rest of the SDK sees this.
 * Leadership is won at most once in a process and never regained: whoever loses it must end.
 */
export interface Leadership {
  /**
   * Emits `true` once leadership is won, then `false` if it is lost, and ends; replays its last value. `false`
   * alone means that it can never be won. A release says nothing.
   */
  readonly leader$: Observable<boolean>
  /**
   * The monotonic time (`Clock.now()`, milliseconds) after which no write may start; `Infinity` when nothing
   * but the end of the process ends leadership, `-Infinity` while not the leader. If replicas share the work, it is the
   * deadline of shard 0, for work that is not tied to a key; a run has its shard's own.
   */
  deadline(): number
  /** What is led of the work, where replicas share it; left out where the leader does all. */
  readonly share?: ShardShare
  /** Begins to give leadership up: what has come to rest may go to others, who need not wait for the rest. */
  retire?(): void
  /** Gives leadership up, if there is something to give up, so that a successor need not wait. */
  release(): Promise<void>
}
