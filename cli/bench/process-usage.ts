import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The kernel reports CPU time in units of 10 ms. */
const tickMs = 10
/** Indices of user and system time after the program's name, which is in parentheses and may contain spaces. */
const ownFields = [11, 12]
/** Indices of user and system time of the child processes that have ended. */
const endedFields = [13, 14]

/** CPU time of a running process with all its threads, in milliseconds. Linux only. */
export function cpuMs(pid: number): number {
  return sumOf(pid, ownFields)
}

/** CPU time of a process and its child processes that have ended, in milliseconds. Linux only. */
export function cpuMsWithEnded(pid: number): number {
  return sumOf(pid, [...ownFields, ...endedFields])
}

function sumOf(pid: number, indices: readonly number[]): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return indices.reduce((sum, index) => sum + Number(fields[index]) * tickMs, 0)
}

/** Peak resident memory of a running process, in MiB. Linux only. */
export function peakMiB(pid: number): number {
  return statusMiB(pid, 'VmHWM')
}

/** Resident memory of a running process, in MiB. Linux only. */
export function residentMiB(pid: number): number {
  return statusMiB(pid, 'VmRSS')
}

function statusMiB(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
}

/** Number of established IPv4 TCP connections of a running process. Linux only. */
export function connectionsOf(pid: number): number {
  const established = new Set<string>()
  for (const line of readFileSync(`/proc/${pid}/net/tcp`, 'utf8').split('\n')) {
    const fields = line.trim().split(/\s+/)
    if (fields[3] === '01') established.add(`socket:[${fields[9]}]`)
  }
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
  return open.filter((target) => established.has(target)).length
}

/** The target of a link, or `''`: a descriptor may be closed in the meantime. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
