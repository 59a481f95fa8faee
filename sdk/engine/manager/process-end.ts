import { explainFailure } from './explain-failure.js'
import { stopOnSignals } from './stop-on-signals.js'

/**
 * The end of a program that a process consists of: until then SIGTERM and SIGINT stop the program, and a failure is
 * explained if nothing catches it.
 */
export async function processEnd(ended: Promise<void>, stop: () => void): Promise<void> {
  const ignoreSignals = stopOnSignals(stop)
  try {
    await ended
  } catch (error) {
    explainFailure(error)
    throw error
  } finally {
    ignoreSignals()
  }
}
