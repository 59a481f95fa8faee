import { PluginError } from '../kube/error.js'

/** How long the last log lines may take to leave the process, in milliseconds. */
const flushMs = 50

/** The failures that explain themselves. */
const explained = new WeakSet<Error>()

/**
 * Prints the failure of a program in one sentence in place of Node's stack trace, if the program does not catch it, and
 * then ends the process with status 1. Does nothing for other errors, because a developer needs their stack trace, and
 * in a process that handles or logs uncaught errors itself.
 */
export function explainFailure(failure: unknown): void {
  if (!(failure instanceof PluginError)) return
  explained.add(failure)
  if (['uncaughtException', 'uncaughtExceptionMonitor'].some(hasListeners)) return
  process.on('uncaughtException', endWith)
}

/** Awaits something that a program does before it starts, such as reading a file, and explains its failure. */
export async function explainRejection<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    explainFailure(error)
    throw error
  }
}

const hasListeners = (event: string) => process.listenerCount(event) > 0

function endWith(error: unknown): void {
  const isExplained = error instanceof Error && explained.has(error)
  console.error(isExplained ? error.message : error)
  // After any other error nothing more of the program may run.
  if (!isExplained) process.exit(1)
  setTimeout(() => process.exit(1), flushMs)
}
