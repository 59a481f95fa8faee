import { readdir, readFile } from 'node:fs/promises'
import type { Loose } from './real-node.js'

/** Kills the processes of the only container of a Pod by SIGKILL, as the kernel does when memory is short. */
export async function killContainer({ status }: Loose): Promise<void> {
  const id = status.containerStatuses[0].containerID.replace('containerd://', '')
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  for (const one of processes) {
    const cgroup = await readFile(`/proc/${one}/cgroup`, 'utf8').catch(() => '')
    if (cgroup.includes(id)) process.kill(Number(one), 'SIGKILL')
  }
}
