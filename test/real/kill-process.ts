import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/**
 * Kills a process, and resolves when it has ended. A server asked to end would wait for its open requests, for a minute
 * and more.
 */
export async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
