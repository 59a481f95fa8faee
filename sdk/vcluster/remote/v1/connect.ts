/**
 * The sidecar protocol, from the plugin's side: finding the vcluster process, learning from it how to reach both
 * clusters, registering, and asking whether it leads.
 *
 * It waits for a process that is not up yet or is restarting. The error for a process that can never answer names the
 * reason. `leader/` decides whether an answer allows writes, and `transport/` uses the kubeconfigs.
 */
import { GrpcClient } from '../../../engine/grpc/client.js'
import { type Logger, silentLogger } from '../../../engine/observe/logger.js'
import { type Clock, systemClock } from '../../../engine/time/clock.js'
import type { Context, LeaderInfo } from '../proto/gen/v1.js'
import { defaultListenAddress, toIpLiteral } from './address.js'
import { explainError, VClusterConnection } from './connection.js'
import { parseContext } from './context.js'
import { vclusterMethods } from './methods.js'
import { untilReachable } from './until-reachable.js'

/** How to find the vcluster process. */
export interface ConnectOptions {
  /** `host:port` where the process listens (`VCLUSTER_LISTEN_ADDRESS`). Default `127.0.0.1:10099`. */
  address?: string | undefined
  /** Ends the waiting; the promise then rejects with the signal's reason. Default: waits without end. */
  signal?: AbortSignal | undefined
  /** Limit of each attempt in milliseconds. Default 10,000. */
  timeoutMs?: number
  /** Measures the pauses between attempts. Default the machine's clock. */
  clock?: Clock
  /** Logs that the plugin waits for the process. Default silent. */
  logger?: Logger
}

/** The context has three kubeconfigs and the options of the process; it has no limit there. */
const maxContextBytes = Number.POSITIVE_INFINITY

/**
 * Waits for the vcluster process and asks it for its context and its run.
 *
 * Throws a {@link PluginError}: `VCLUSTER_TOO_OLD` if the process does not know the protocol, `INVALID_CONTEXT` or
 * `INVALID_ADDRESS`. See pkg/plugin/v1/plugin.go @ v0.36.1 of vcluster.
 */
export async function connect(options: ConnectOptions = {}): Promise<VClusterConnection> {
  const { clock = systemClock, logger = silentLogger } = options
  const address = toIpLiteral(options.address || defaultListenAddress, 'VCLUSTER_LISTEN_ADDRESS')
  const client = new GrpcClient({ address }, { maxMessageBytes: maxContextBytes })
  try {
    const { context, runID } = await firstAnswer(client, { ...options, address, clock, logger })
    return new VClusterConnection({ client, address, context: parseContext(context), runID, clock, logger })
  } catch (error) {
    client.close()
    throw explainError(error, `the vcluster process at ${address} refused the plugin`)
  }
}

type FirstAnswerOptions = ConnectOptions & { address: string; clock: Clock; logger: Logger }

/**
 * Asks for the run and the context. It asks for the run first, so that a restart in between is noticed later as another
 * run.
 */
function firstAnswer(
  client: GrpcClient,
  { address, signal, timeoutMs = 10_000, clock, logger }: FirstAnswerOptions,
): Promise<{ context: Context } & Pick<LeaderInfo, 'runID'>> {
  const attempt = async () => {
    const { runID } = await client.call(vclusterMethods.isLeader, {}, { timeoutMs, signal })
    const context = await client.call(vclusterMethods.getContext, {}, { timeoutMs, signal })
    return { context, runID }
  }
  const onRetry = (error: Error, delayMs: number) =>
    logger.info(
      { address, reason: error.message, retryInMs: delayMs },
      `waiting for the vcluster process at ${address}`,
    )
  return untilReachable(attempt, { clock, signal, onRetry })
}
