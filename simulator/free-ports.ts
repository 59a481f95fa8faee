import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * The range of the searched ports. It is below the ports that Linux, macOS and Windows assign to outgoing connections
 * and to servers on port 0, so that none of these takes a port between the search and its use.
 */
const ports = { from: 15_000, to: 32_768 }

/** Finds `count` free ports on loopback, for callers that must know a port before it is opened. */
export async function freePorts(count: number): Promise<number[]> {
  const reserved = await Promise.all(Array.from({ length: count }, () => reserveFreePort()))
  await Promise.all(reserved.map(({ server }) => new Promise((resolve) => server.close(resolve))))
  return reserved.map(({ port }) => port)
}

/** Finds one free port. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

/** A server on a free port, which keeps other searches away from it. */
async function reserveFreePort(): Promise<{ server: Server; port: number }> {
  for (;;) {
    const port = randomInt(ports.from, ports.to)
    const server = createServer().listen(port, '127.0.0.1')
    if (await canListen(server)) return { server, port }
  }
}

/** Whether a server listens. False if its port is in use; rejects for any other cause. */
async function canListen(server: Server): Promise<boolean> {
  try {
    await once(server, 'listening')
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  }
}
