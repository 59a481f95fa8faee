import type { Observable } from 'rxjs'

/**
 * Who may write. Whatever decides it (vcluster's own leadership, a Lease), the rest of the SDK sees this.
 * Leadership is won at most once in a process and never regained: whoever loses it must end.
 */
export interface Leadership {
  /** Emits `true` once leadership is won, then `false` if it is lost; replays its last value. */
  readonly leader$: Observable<boolean>
  /**
   * The monotonic time (`Clock.now()`, milliseconds) after which no write may start; `Infinity` when nothing
   * but the end of the process ends leadership, `-Infinity` while not the leader.
   */
  deadline(): number
  /** Gives leadership up, if there is something to give up, so that a successor need not wait. */
  release(): Promise<void>
}
