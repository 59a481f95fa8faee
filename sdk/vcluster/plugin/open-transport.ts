import { createTransport } from '../../engine/transport/create-transport.js'
import type { Kubeconfig } from '../../engine/transport/kubeconfig.js'
import type { Transport } from '../../engine/transport/transport.js'
import { formatUserAgent } from '../../engine/transport/user-agent.js'
import type { Side } from '../context/register-context.js'
import type { OpenSessionOptions } from './session.js'

/** Options of {@link openTransport}. */
export interface OpenTransportOptions extends Pick<OpenSessionOptions, 'logger' | 'metrics' | 'clock'> {
  /** The plugin's name in the User-Agent, by which the API server's audit log distinguishes plugins. */
  pluginName: string
}

/** Opens the transport to one of the two clusters. */
export function openTransport(
  cluster: Side,
  kubeconfig: Kubeconfig,
  options: OpenTransportOptions,
): Transport {
  const { pluginName, logger, metrics, clock } = options
  return createTransport({
    kubeconfig,
    cluster,
    userAgent: formatUserAgent(pluginName),
    logger,
    metrics,
    clock,
  })
}
