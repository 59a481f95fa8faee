import { PluginError } from '../kube/error.js'
import type { Clock } from '../time/clock.js'

/**
 * Decides whether a write may start. The client asks right before each mutating call is handed to the
 * transport, so that nothing is written by a process that lost, or may have lost, leadership.
 */
export interface WriteGate {
  /** Returns while writes may start; throws `PluginError` with code `NOT_LEADER` once they may not. */
  check(): void
  /**
   * How long a write may take that starts now, in milliseconds: the client never gives a call more time.
   * Left out means no limit beyond the call's own timeout.
   */
  remainingMs?(): number
}

/** Options of {@link openUntil}. */
export interface OpenUntilOptions {
  /** The monotonic time (`clock.now()`, milliseconds) after which no write may start; read at each check. */
  deadline: () => number
  /** The clock that the deadline belongs to. */
  clock: Clock
}

/**
 * A gate that is open while `clock.now()` is before the deadline. A deadline of `-Infinity` means never
 * the leader, `Infinity` leader until the process ends.
 */
export function openUntil({ deadline, clock }: OpenUntilOptions): WriteGate {
  const remainingMs = () => deadline() - clock.now()
  return {
    remainingMs,
    check() {
      if (remainingMs() > 0) return
      throw new PluginError(
        'NOT_LEADER',
        'the write was not sent, because this process does not lead, or may have lost leadership: ' +
          'the leader does the work; restart this process if it led before',
      )
    },
  }
}

/** A gate that never closes: for programs that write without leadership, such as a command line. */
export const openGate: WriteGate = { check: () => {} }
