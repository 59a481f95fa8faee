/** What the user's signals are answered with. */
export interface StopSignalsOptions {
  /** Ends everything in order; called once. */
  onStop: () => void
  /** Ends everything at once. */
  onForce: () => void
}

/**
 * npm hands a Ctrl-C on to a program that the terminal has told already, so what comes this soon after the first
 * signal, in milliseconds, is the same Ctrl-C.
 */
const echoMs = 300

/** Answers SIGINT, SIGTERM and the terminal's end: the first stops well, a later one at once. */
export function answerStopSignals({ onStop, onForce }: StopSignalsOptions): void {
  let firstAtMs: number | undefined
  const answer = () => {
    if (firstAtMs === undefined) {
      firstAtMs = performance.now()
      onStop()
    } else if (performance.now() - firstAtMs > echoMs) onForce()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, answer)
  // Whoever read the output has gone, as in `vcluster-plugin dev . | head`.
  process.stdout.on('error', answer)
}
