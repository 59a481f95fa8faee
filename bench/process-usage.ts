import { readdirSync, readFileSync } from 'node:fs'

/** Processor time that a running process has taken with all its threads that live, in milliseconds. Linux only. */
export function cpuMs(pid: number): number {
  const folder = `/proc/${pid}/task`
  const nanoseconds = readdirSync(folder).map((task) =>
    Number(readFileSync(`${folder}/${task}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}

/** The most memory that a running process has held, in MiB. Linux only. */
export function peakMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
}
