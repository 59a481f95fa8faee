import { readFile } from 'node:fs/promises'
import type { Clock } from '../../engine/time/clock.js'

const everyMs = 500

/**
 * Reads the memory of a process twice a second, and calls back once when it is above a limit: buffers are outside the
 * heap that Node limits. Only Linux says it; elsewhere this does nothing. Returns a function that stops it.
 */
export function watchMemory(
  pid: number,
  { clock, limitMb, onExceeded }: { clock: Clock; limitMb: number; onExceeded: (usedMb: number) => void },
): () => void {
  let stopped = false
  let cancel = () => {}
  const measure = async () => {
    const usedMb = await residentMb(pid)
    if (stopped || usedMb === undefined) return
    if (usedMb > limitMb) return onExceeded(usedMb)
    cancel = clock.schedule(everyMs, () => void measure())
  }
  void measure()
  return () => {
    stopped = true
    cancel()
  }
}

/**
 * The memory of a process and its child processes, because the programs that make a boundary may be the parents of
 * Node.
 */
async function residentMb(pid: number): Promise<number | undefined> {
  const ownMb = await ownResidentMb(pid)
  if (ownMb === undefined) return undefined
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const numbers = children.split(' ').filter((text) => text !== '')
  const childrenMb = await Promise.all(numbers.map((text) => residentMb(Number(text))))
  return childrenMb.reduce<number>((sum, one = 0) => sum + one, ownMb)
}

async function ownResidentMb(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? []
  return kib === undefined ? undefined : Math.round(Number(kib) / 1024)
}
