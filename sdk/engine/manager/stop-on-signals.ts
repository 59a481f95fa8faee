/** The signals that ask a process to end. */
const signals = ['SIGTERM', 'SIGINT'] as const

/**
 * Calls `stop` once at SIGTERM or SIGINT. A second signal ends the process at once, with status 1. Returns a function
 * that removes the listeners.
 */
export function stopOnSignals(stop: () => void): () => void {
  const again = () => process.exit(1)
  const first = () => {
    for (const signal of signals) process.off(signal, first).on(signal, again)
    stop()
  }
  for (const signal of signals) process.on(signal, first)
  return () => {
    for (const signal of signals) process.off(signal, first).off(signal, again)
  }
}
