import { readFileSync } from 'node:fs'

/** The kernel counts in hundredths of a second, whatever its own clock. */
const TICK_MS = 10
/** Where user and system time stand behind the program's name, which is in parentheses and may hold spaces. */
const [USER, SYSTEM] = [11, 12]

/** Processor time that a running process has taken with all its threads, in milliseconds. Linux only. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS
}

/** The most memory that a running process has held, in MiB. Linux only. */
export function peakMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
}
