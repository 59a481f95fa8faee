import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'

const children = new Set<ChildProcess>()

/** Kills a child process when this process exits. All children share one listener. */
export function killAtExit(child: ChildProcess): void {
  if (children.size === 0) process.once('exit', killAll)
  children.add(child)
  child.once('exit', () => {
    children.delete(child)
    if (children.size === 0) process.off('exit', killAll)
  })
}

function killAll(): void {
  for (const child of children) child.kill('SIGKILL')
}

const setpriv = '/usr/bin/setpriv'

/** The kernel does not report a death before `setpriv` ran: then the process has another parent than the given one. */
const runIfParentLives = ['sh', '-c', '[ "$PPID" = "$0" ] && exec "$@"']

/**
 * The command line of a program that the kernel ends when this process dies, also by SIGKILL. It must be a child of
 * this process, or it ends at once. On a system that cannot do that it is the program itself.
 */
export function endedWithParent(program: string, args: readonly string[]): [string, string[]] {
  if (!existsSync(setpriv)) return [program, [...args]]
  return [setpriv, ['--pdeathsig', 'KILL', ...runIfParentLives, `${process.pid}`, program, ...args]]
}
