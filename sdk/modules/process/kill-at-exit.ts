import type { ChildProcess } from 'node:child_process'
import process from 'node:process'

const running = new Set<ChildProcess>()

/**
 * Kills a child process when this process exits. A child in an endless loop does not notice that its input closes.
 */
export function killAtExit(child: ChildProcess): void {
  if (running.size === 0) process.on('exit', killAll)
  running.add(child)
  child.once('exit', () => {
    running.delete(child)
    if (running.size === 0) process.off('exit', killAll)
  })
}

function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}
