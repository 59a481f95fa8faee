import type { ChildProcess } from 'node:child_process'
import process from 'node:process'

const running = new Set<ChildProcess>()

/**
 * Kills a process when this one exits. Otherwise one in an endless loop stays, because it does not see its input close.
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
