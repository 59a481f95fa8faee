/**
 * The in-syncer protocol, from the plugin's side: a program that a vcluster process starts by go-plugin's handshake
 * and then calls.
 *
 * Guarantees that only the handshake is written to standard output, that everything the plugin prints and
 * logs appears in the vcluster process's own log, and that the end of that process is noticed. `plugin/` acts
 * on the calls, and `leader/` decides whether writes are allowed. See pkg/plugin/v2/plugin.go @ v0.36.1 of
 * vcluster and server.go @ v1.6.0 of github.com/hashicorp/go-plugin.
 */
import { GrpcServer } from '../../../engine/grpc/server.js'
import type { Environment } from '../../../engine/kube/environment.js'
import { type Clock, systemClock } from '../../../engine/time/clock.js'
import { maxRequestBytes } from '../message-limits.js'
import { PluginDefinition } from '../proto/gen/v2.js'
import { handshakeLine, pluginAddress } from './address.js'
import { checkCookie } from './cookie.js'
import { deferred } from './deferred.js'
import { addGoPluginServices } from './go-plugin-services.js'
import { watchParent } from './parent.js'
import { PluginCalls } from './plugin-calls.js'
import type { StandardStreams } from './standard-streams.js'

/** Options of {@link servePlugin}. */
export interface ServePluginOptions {
  env: Environment
  streams: StandardStreams
  /** The process that started this one; default `process.ppid`. */
  parentId?: () => number
  /** Default the machine's clock. */
  clock?: Clock
}

/** A plugin whose address the vcluster process has received. */
export interface ServedPlugin {
  readonly calls: PluginCalls
  /**
   * Resolves with the reason when the vcluster process has ended, has closed the connection, or asks the plugin to end.
   */
  readonly gone: Promise<string>
  /** Ends the service; calls under way are aborted. */
  close(): Promise<void>
}

/**
 * Serves the plugin, and prints its address in the handshake line. Throws a `PluginError` if no vcluster process has
 * started the program (see {@link checkCookie}).
 */
export async function servePlugin({
  env,
  streams,
  parentId = () => process.ppid,
  clock = systemClock,
}: ServePluginOptions): Promise<ServedPlugin> {
  checkCookie(env)
  const calls = new PluginCalls()
  const gone = deferred<string>()
  const server = new GrpcServer({ maxRequestBytes })
  server.serve(PluginDefinition, calls.methods())
  addGoPluginServices(server, { streams, onGone: gone.resolve })
  const address = await pluginAddress(env)
  const { port } = await server.listen(address.listen)
  const leaveParent = watchParent({ parentId, clock, onGone: gone.resolve })
  streams.handshake(handshakeLine(address, port))
  return {
    calls,
    gone: gone.promise,
    async close() {
      leaveParent()
      await server.close({ graceMs: flushMs, clock })
      await address.dispose()
    },
  }
}

/** How long finished answers may take to be sent, in milliseconds; open streams are not waited for. */
const flushMs = 100
