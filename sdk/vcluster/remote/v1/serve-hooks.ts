import { createServer } from 'node:net'
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js'
import { PluginError } from '../../../engine/kube/error.js'
import type { Logger } from '../../../engine/observe/logger.js'
import type { HookChain } from '../../hook/hook-chain.js'
import { messageLimits } from '../message-limits.js'
import { type MutateRequest, type MutateResult, PluginService } from '../proto/gen/v1.js'
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
  const server = new Server(messageLimits)
  server.addService(PluginService, {
    mutate: (call: ServerUnaryCall<MutateRequest, MutateResult>, answer: sendUnaryData<MutateResult>) =>
      void mutate(hooks, call, answer),
  })
  const literal = toIpLiteral(address, 'VCLUSTER_PLUGIN_ADDRESS')
  const port = await bind(server, literal)
  const bound = literal.replace(/\d+$/, String(port))
  logger.info({ address: bound }, 'hooks are served')
  return { address: bound, close: () => close(server) }
}

async function mutate(
  hooks: HookChain,
  call: ServerUnaryCall<MutateRequest, MutateResult>,
  answer: sendUnaryData<MutateResult>,
): Promise<void> {
  const cancelled = new AbortController()
  call.once('cancelled', () => cancelled.abort(new Error('vcluster no longer waits for the hook')))
  try {
    answer(null, await hooks.mutate(call.request, { signal: cancelled.signal }))
  } catch (error) {
    answer({ code: status.UNKNOWN, details: error instanceof Error ? error.message : String(error) })
  }
}

/** Resolves with the port. */
async function bind(server: Server, address: string): Promise<number> {
  try {
    await openOnce(address)
    return await openServer(server, address)
  } catch (error) {
    const cause = error as Error
    const message = `cannot listen on VCLUSTER_PLUGIN_ADDRESS ${address} for hooks (${cause.message}): stop the program that listens there, or choose another port`
    throw new PluginError('CANNOT_LISTEN', message, { cause })
  }
}

/** Opens the port and closes it. grpc-js prints a line of its own if it cannot open one; Node's error is clearer. */
async function openOnce(address: string): Promise<void> {
  const { hostname, port } = new URL(`tcp://${address}`)
  const trial = createServer()
  await new Promise<void>((resolve, reject) => {
    trial.once('error', reject)
    trial.listen(Number(port), hostname.replace(/^\[|\]$/g, ''), resolve)
  })
  await new Promise((resolve) => trial.close(resolve))
}

function openServer(server: Server, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    )
  })
}

async function close(server: Server): Promise<void> {
  const ended = new Promise<void>((resolve) => server.tryShutdown(() => resolve()))
  const force = setTimeout(() => server.forceShutdown(), graceMs)
  await ended
  clearTimeout(force)
}
