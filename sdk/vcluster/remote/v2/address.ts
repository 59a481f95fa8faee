import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../../engine/kube/environment.js'

/** The longest address of a unix socket that works on Linux and macOS, in bytes. */
const maxPathBytes = 103

/** The address of a plugin, and its form in the handshake line. */
export interface ListenAddress {
  /** The path of the socket, or the address and port, where port 0 takes a free one. */
  listen: { path: string } | { host: string; port: number }
  /** Removes the socket and its folder. */
  dispose(): Promise<void>
}

/**
 * Chooses the address of a plugin: a unix socket in a folder that no other user may enter. Only if the temporary
 * folder's name is too long for a socket, TCP on loopback, which every container of the pod can reach.
 */
export async function pluginAddress(env: Environment): Promise<ListenAddress> {
  const parent = env.PLUGIN_UNIX_SOCKET_DIR || tmpdir()
  if (Buffer.byteLength(join(parent, 'plugin-XXXXXX', 'socket')) > maxPathBytes) return tcp
  const folder = await mkdtemp(join(parent, 'plugin-'))
  return {
    listen: { path: join(folder, 'socket') },
    dispose: () => rm(folder, { recursive: true, force: true }),
  }
}

const loopback = '127.0.0.1'

const tcp: ListenAddress = { listen: { host: loopback, port: 0 }, dispose: async () => {} }

/**
 * The line with which a plugin prints its address: `core|app|network|address|protocol` (server.go @ v1.6.0 of
 * go-plugin).
 */
export function handshakeLine({ listen }: Pick<ListenAddress, 'listen'>, port: number): string {
  const address = 'path' in listen ? `unix|${listen.path}` : `tcp|${loopback}:${port}`
  return `1|1|${address}|grpc\n`
}
