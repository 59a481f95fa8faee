// The processes that this one has started. A program behind a boundary does not know its own number.
import { spawnSync } from 'node:child_process'
import process from 'node:process'

/** The numbers of the processes that this one has started and that run. */
export function startedProcesses(): number[] {
  const ps = spawnSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'stat='], { encoding: 'utf8' })
  return ps.stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([pid, parent, state = '']) =>
        Number(parent) === process.pid && Number(pid) !== ps.pid && !state.startsWith('Z'),
    )
    .map(([pid]) => Number(pid))
}
