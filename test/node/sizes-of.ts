import { memoryOf } from './memory-of.js'
import type { RealNode } from './real-node.js'

const folderOfProgram = `dirname "$(tr '\\0' '\\n' </proc/1/cmdline | grep 'mjs$')"`

/** The working set of a container, and what its image adds to its base image: the folder of its program. */
export async function sizesOf(node: RealNode, ...podAndContainer: string[]): Promise<string> {
  const [memory, used = ''] = await Promise.all([
    memoryOf(node, ...podAndContainer),
    node.kubectl('exec', ...podAndContainer, '--', 'sh', '-c', `du -sk "$(${folderOfProgram})"`),
  ])
  const image = Math.round(Number(used.split('\t')[0]) / 1024)
  return `needs ${memory} MiB, and its image ${image} MiB above its base`
}
