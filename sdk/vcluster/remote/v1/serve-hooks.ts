import { hostAndPort } from '../../../engine/grpc/host-and-port.js'
import { GrpcServer } from '../../../engine/grpc/server.js'
import { PluginError } from '../../../engine/kube/error.js'
import type { Logger } from '../../../engine/observe/logger.js'
import type { HookChain } from '../../hook/hook-chain.js'
import { maxRequestBytes } from '../message-limits.js'
import { PluginDefinition } from '../proto/gen/v1.js'
import { withMessage } from '../with-message.js'
import { toIpLiteral } from './address.js'

/** Options of {@link serveHooks}. */
export interface ServeHooksOptions {
  /** `host:port` to listen on (`VCLUSTER_PLUGIN_ADDRESS`). */
  address: string
  hooks: HookChain
  logger: Logger
}

/** A hook server that listens. */
export interface HookServer {
  /** `host:port` where the server listens, with an IP literal for its host. */
  readonly address: string
  /** Takes no more calls. Resolves when the calls under way have ended, or were aborted after a second. */
  close(): Promise<void>
}

/** How long calls under way may take to end when the server closes, in milliseconds. */
const graceMs = 1000

/**
 * Serves a plugin's hooks to the vcluster process, by the first plugin protocol. vcluster opens a connection for each
 * call. Throws `PluginError` with code `INVALID_ADDRESS` or `CANNOT_LISTEN`.
 */
export async function serveHooks({ address, hooks, logger }: ServeHooksOptions): Promise<HookServer> {
  const server = new GrpcServer({ maxRequestBytes })
  server.serve(PluginDefinition, {
    mutate: (request, { signal }) => withMessage(() => hooks.mutate(request, { signal })),
  })
  const literal = toIpLiteral(address, 'VCLUSTER_PLUGIN_ADDRESS')
  const port = await bind(server, literal)
  const bound = literal.replace(/\d+$/, String(port))
  logger.info({ address: bound }, 'hooks are served')
  return { address: bound, close: () => server.close({ graceMs }) }
}

/** Resolves with the port. */
async function bind(server: GrpcServer, address: string): Promise<number> {
  try {
    const bound = await server.listen(hostAndPort(address))
    return bound.port
  } catch (error) {
    const cause = error as Error
    const message = `cannot listen on VCLUSTER_PLUGIN_ADDRESS ${address} for hooks (${cause.message}): stop the program that listens there, or choose another port`
    throw new PluginError('CANNOT_LISTEN', message, { cause })
  }
}
