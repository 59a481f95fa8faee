import { readFileSync } from 'node:fs'

/** The kernel reports CPU time in units of 10 ms. */
const tickMs = 10

/** The main thread of a process, as the kernel counts it. */
export interface MainThread {
  /** `R` runs or could run, `S` and `D` wait, `T` and `t` are stopped by a signal or a debugger. */
  readonly state: string
  /** The processor time of the thread since its start, in milliseconds. */
  readonly cpuMs: number
}

/** The main thread of a process; undefined where there is no Linux, or no such process. */
export function mainThreadOf(pid: number): MainThread | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
    // The name before them is in parentheses and may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs }
  } catch {
    return undefined
  }
}

/** The reason why a main thread did not answer for a time, from its states before and now. */
export function silenceReason(
  before: MainThread | undefined,
  now: MainThread | undefined,
  silentMs: number,
): string {
  if (before === undefined || now === undefined)
    return 'a loop or a synchronous call blocks its event loop; --inspect lets a debugger show where'
  if (now.state.toLowerCase() === 't') return 'a signal or a debugger has stopped its process'
  const share = (now.cpuMs - before.cpuMs) / silentMs
  if (share >= 0.5) return 'a loop blocks its event loop; --inspect lets a debugger show where'
  if (now.state === 'R') return 'it gets little processor time, because other processes need it'
  return 'a synchronous call, such as execSync, blocks its event loop; --inspect lets a debugger show where'
}
