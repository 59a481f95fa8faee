import { PluginError } from '../kube/error.js'

/** How long the last log lines may take to leave the process, in milliseconds. */
const flushMs = 50

/**
 * Prints the failure of a program in one sentence in place of Node's stack trace, if the program does not catch it, and
 * then ends the process with status 1. Does nothing for other errors, because a developer needs their stack trace, and
 * in a process with its own handler of uncaught errors.
 */
export function explainFailure(failure: unknown): void {
  if (!(failure instanceof PluginError) || process.listenerCount('uncaughtException') > 0) return
  process.on('uncaughtException', (error: unknown) => {
    console.error(error === failure ? failure.message : error)
    // After any other error nothing more of the program may run.
    if (error !== failure) process.exit(1)
    setTimeout(() => process.exit(1), flushMs)
  })
}
