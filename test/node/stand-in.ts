import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildImage, type RealNode } from './real-node.js'

/** Builds an image from the lines of a Dockerfile, and makes it known to a node. `folder` is its context. */
export async function loadImage(
  node: RealNode,
  image: string,
  { lines, folder }: { lines: readonly string[]; folder?: string },
): Promise<void> {
  const own = await mkdtemp(join(tmpdir(), 'image-'))
  try {
    const file = join(own, 'Dockerfile')
    await writeFile(file, lines.join('\n'))
    await node.load(await buildImage(image, folder ?? own, '-f', file))
  } finally {
    await rm(own, { recursive: true })
  }
}

/**
 * Makes images of other projects known to a node: a server in place of theirs that answers at a port, because there is
 * no registry.
 */
export async function loadStandIns(node: RealNode, images: Readonly<Record<string, number>>): Promise<void> {
  for (const [image, port] of Object.entries(images)) {
    const program = `process.on('SIGTERM', () => process.exit()); require('net').createServer((socket) => socket.end('${image}')).listen(${port})`
    const entry = `ENTRYPOINT ["node", "-e", ${JSON.stringify(program)}, "--"]`
    await loadImage(node, image, { lines: ['FROM localhost/node:24-slim', entry] })
  }
}
