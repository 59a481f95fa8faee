import { explainFailure } from './explain-failure.js'
import { stopOnSignals } from './stop-on-signals.js'

/**
 * Waits for the end of a program that has a process to itself. Until then, SIGTERM and SIGINT call `stop`. If the
 * program fails, the error is rethrown. If it is a `PluginError` that is not caught, only its message is printed.
 */
export async function awaitProcessEnd(ended: Promise<void>, stop: () => void): Promise<void> {
  const removeListeners = stopOnSignals(stop)
  try {
    await ended
  } catch (error) {
    explainFailure(error)
    throw error
  } finally {
    removeListeners()
  }
}
