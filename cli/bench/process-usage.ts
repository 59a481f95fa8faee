import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

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
  return statusMiB(pid, 'VmHWM')
}

/** The memory that a running process holds, in MiB. Linux only. */
export function residentMiB(pid: number): number {
  return statusMiB(pid, 'VmRSS')
}

function statusMiB(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
}

/** How many TCP connections over IPv4 a running process has. Linux only. */
export function connectionsOf(pid: number): number {
  const established = new Set<string>()
  for (const line of readFileSync(`/proc/${pid}/net/tcp`, 'utf8').split('\n')) {
    const fields = line.trim().split(/\s+/)
    if (fields[3] === '01') established.add(`socket:[${fields[9]}]`)
  }
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
  return open.filter((target) => established.has(target)).length
}

/** Where a link leads; a descriptor may be closed while one looks. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
