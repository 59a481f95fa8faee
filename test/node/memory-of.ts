import type { RealNode } from './real-node.js'

/** The working set of a container in MiB, as `kubectl top` shows it: what the kernel cannot free at once. */
export async function memoryOf(node: RealNode, ...podAndContainer: string[]): Promise<number> {
  const files = ['usage_in_bytes', 'stat'].map((name) => `/sys/fs/cgroup/memory/memory.${name}`)
  const [usage = '', stat = ''] = await Promise.all(
    files.map((file) => node.kubectl('exec', ...podAndContainer, '--', 'cat', file)),
  )
  const inactive = /^total_inactive_file (\d+)$/m.exec(stat)?.[1] ?? 0
  return Math.round((Number(usage) - Number(inactive)) / 2 ** 20)
}
