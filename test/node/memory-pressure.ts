import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../until.js'
import type { Loose, RealNode } from './real-node.js'

/** The class of Pods that a kubelet evicts before all others, if they use more memory than they request. */
export const firstEvicted = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'first-evicted' },
  value: -10,
}

/**
 * Does something while the node has less memory than its kubelet demands. Such a kubelet evicts a Pod every ten seconds
 * and takes no Pod without requests, so no other case may run.
 */
export async function underMemoryPressure(node: RealNode, work: () => Promise<unknown>): Promise<void> {
  const file = join(node.folder, 'kubelet.yaml')
  const text = await readFile(file, 'utf8')
  const { memory } = (await node.get('node', 'node1')).status.capacity
  // A kubelet compares nothing without statistics of the disk, which `inside` switches off.
  const strict = text
    .replace(/memory\.available: \w+/, `memory.available: ${memory}`)
    .replace('localStorageCapacityIsolation: false', 'localStorageCapacityIsolation: true')
  await restartKubelet(node, strict)
  await until(async () => (await condition(node, 'MemoryPressure')) === 'True')
  await work()
  await restartKubelet(node, text)
  await until(async () => (await condition(node, 'MemoryPressure')) === 'False')
}

const condition = async (node: RealNode, type: string): Promise<string> =>
  (await node.get('node', 'node1')).status.conditions.find((one: Loose) => one.type === type).status

async function restartKubelet(node: RealNode, configuration: string): Promise<void> {
  const file = join(node.folder, 'kubelet.yaml')
  await writeFile(file, configuration)
  for (const one of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [program = '', ...args] = (await readFile(`/proc/${one}/cmdline`, 'utf8').catch(() => '')).split(
      '\0',
    )
    if (program.endsWith('/kubelet') && args.includes(file)) process.kill(Number(one), 'SIGTERM')
  }
}
