import type { GrpcCallOptions, GrpcClient } from '../../../engine/grpc/client.js'
import { GrpcError } from '../../../engine/grpc/grpc-error.js'
import { GrpcStatus } from '../../../engine/grpc/status.js'
import { PluginError } from '../../../engine/kube/error.js'
import type { Logger } from '../../../engine/observe/logger.js'
import type { Clock } from '../../../engine/time/clock.js'
import type { ClientHook, LeaderInfo } from '../proto/gen/v1.js'
import { toIpLiteral } from './address.js'
import type { VClusterContext } from './context.js'
import { vclusterMethods } from './methods.js'
import { untilReachable } from './until-reachable.js'

/** How a plugin announces itself to the vcluster process. */
export interface RegisterOptions {
  /** The plugin's key in vcluster's configuration (`VCLUSTER_PLUGIN_NAME`); vcluster ignores any other name. */
  name: string
  /**
   * `host:port` of the plugin's hook server (`VCLUSTER_PLUGIN_ADDRESS`), registered with an IP literal for its
   * host. Needed with hooks. Without hooks vcluster never dials it, so a plugin that was given no address
   * still registers: vcluster's own start waits for that. Default `127.0.0.1:0`.
   */
  address?: string | undefined
  /** The hooks the plugin serves. Default none. */
  clientHooks?: ClientHook[]
  /** Ends the attempts; the promise then rejects with the signal's reason. Default: none. */
  signal?: AbortSignal | undefined
}

/** The parts of a {@link VClusterConnection}. */
export interface VClusterConnectionParts {
  client: GrpcClient
  address: string
  context: VClusterContext
  runID: string
  clock: Clock
  logger: Logger
}

/** A vcluster process that has answered. The connection survives restarts of the process; `runID` tells them apart. */
export class VClusterConnection {
  /** The address on which the process listens. */
  readonly address: string
  /** The process's description of itself. */
  readonly context: VClusterContext
  /**
   * Identifies the run of the process. Another value in a later {@link isLeader} means that the process has restarted.
   */
  readonly runID: string
  readonly #client: GrpcClient
  readonly #clock: Clock
  readonly #logger: Logger

  constructor({ client, address, context, runID, clock, logger }: VClusterConnectionParts) {
    this.address = address
    this.context = context
    this.runID = runID
    this.#client = client
    this.#clock = clock
    this.#logger = logger
  }

  /**
   * Registers the plugin, and repeats the attempt while the process cannot be reached. A second registration replaces
   * the hooks.
   *
   * Throws a {@link PluginError}: `NO_PLUGIN_NAME`, `MISSING_ENVIRONMENT`, `INVALID_ADDRESS`, `VCLUSTER_TOO_OLD`, or
   * `VCLUSTER_REFUSED` with vcluster's words.
   */
  async register({ name, address, clientHooks = [], signal }: RegisterOptions): Promise<void> {
    const request = {
      version: 'v1',
      name: checkedName(name),
      address: registeredAddress(address, clientHooks),
      clientHooks,
    }
    const attempt = () => this.#client.call(vclusterMethods.registerPlugin, request, { signal })
    try {
      await untilReachable(attempt, { clock: this.#clock, signal, onRetry: (error) => this.#logRetry(error) })
    } catch (error) {
      throw explainError(error, `plugin ${name}: vcluster refused the registration`)
    }
    this.#logger.info({ plugin: name, address: request.address }, 'registered with the vcluster process')
  }

  /** Asks once whether the process leads. Rejects with {@link GrpcError} if it cannot be reached. */
  isLeader(options: GrpcCallOptions = {}): Promise<LeaderInfo> {
    return this.#client.call(vclusterMethods.isLeader, {}, options)
  }

  /** Closes the connection once the calls under way have ended; later calls reject. */
  close(): void {
    this.#client.close()
  }

  #logRetry(error: Error): void {
    const fields = { address: this.address, reason: error.message }
    this.#logger.warn(fields, 'the vcluster process cannot be reached for the registration, trying again')
  }
}

/** The error for a failed call: `refusal` begins the sentence, and vcluster's own words end it. */
export function explainError(error: unknown, refusal: string): unknown {
  if (!(error instanceof GrpcError)) return error
  if (error.code === GrpcStatus.UNIMPLEMENTED) return tooOldError(error)
  return new PluginError('VCLUSTER_REFUSED', `${refusal}: ${error.details}`, { cause: error })
}

function tooOldError(cause: Error): PluginError {
  const message =
    'the server at the vcluster address does not speak the plugin protocol: plugins need vcluster 0.9.1 or later'
  return new PluginError('VCLUSTER_TOO_OLD', message, { cause })
}

function checkedName(name: string): string {
  if (name !== '') return name
  const message =
    'a sidecar plugin needs its name, the key in vcluster\'s "plugin" values: set VCLUSTER_PLUGIN_NAME or call plugin.init({ name })'
  throw new PluginError('NO_PLUGIN_NAME', message)
}

function registeredAddress(address: string | undefined, clientHooks: ClientHook[]): string {
  if (address) return toIpLiteral(address, 'VCLUSTER_PLUGIN_ADDRESS')
  if (clientHooks.length === 0) return '127.0.0.1:0'
  throw new PluginError(
    'MISSING_ENVIRONMENT',
    'VCLUSTER_PLUGIN_ADDRESS is not set, and a plugin with hooks needs it: set it to the 127.0.0.1:<port> where vcluster calls the hooks',
  )
}
