/** Handlers of {@link handleStopSignals}. */
export interface StopSignalHandlers {
  /** Stops everything in order; called once. */
  onStop: () => void
  /** Stops everything at once. */
  onForce: () => void
}

/**
 * The terminal signals this process for a Ctrl-C, and npm passes the same signal on. A second signal within this time
 * is the same Ctrl-C, in milliseconds.
 */
const echoMs = 300

/** Handles SIGINT, SIGTERM and SIGHUP: the first one stops in order, a later one at once. */
export function handleStopSignals({ onStop, onForce }: StopSignalHandlers): void {
  let firstAtMs: number | undefined
  const answer = () => {
    if (firstAtMs === undefined) {
      firstAtMs = performance.now()
      onStop()
    } else if (performance.now() - firstAtMs > echoMs) onForce()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, answer)
  // The reader of the output has exited, as in `vcluster-plugin dev . | head`.
  process.stdout.on('error', answer)
}
