import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildImage, type RealNode } from './real-node.js'

/**
 * Makes images of other projects known to a node: a server in place of theirs that answers at a port, because there is
 * no registry.
 */
export async function loadStandIns(node: RealNode, images: Readonly<Record<string, number>>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'stand-in-'))
  for (const [image, port] of Object.entries(images)) {
    const program = `require('net').createServer((socket) => socket.end('${image}')).listen(${port})`
    const lines = [
      'FROM localhost/node:24-slim',
      `ENTRYPOINT ["node", "-e", ${JSON.stringify(program)}, "--"]`,
    ]
    await writeFile(join(folder, 'Dockerfile'), lines.join('\n'))
    await node.load(await buildImage(image, folder))
  }
  await rm(folder, { recursive: true })
}
