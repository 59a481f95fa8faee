import { silentLogger } from '../../sdk/engine/observe/logger.js'
import { noMetrics } from '../../sdk/engine/observe/metrics.js'
import { systemClock } from '../../sdk/engine/time/clock.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { formatUserAgent } from '../../sdk/engine/transport/user-agent.js'
import { explainCall } from '../clusters/explain-call.js'
import { loadUserKubeconfig, type UserKubeconfigOptions } from '../clusters/user-kubeconfig.js'

/**
 * Calls a function with a transport to the user's cluster, and closes the connections afterwards. An error of the
 * cluster names it.
 */
export async function withCluster<T>(
  options: UserKubeconfigOptions,
  use: (transport: Transport) => Promise<T>,
): Promise<T> {
  const kubeconfig = await loadUserKubeconfig(options)
  const transport = createTransport({
    kubeconfig,
    cluster: 'host',
    userAgent: formatUserAgent('vcluster-plugin-crd'),
    logger: silentLogger,
    metrics: noMetrics,
    clock: systemClock,
  })
  try {
    return await explainCall(kubeconfig, () => use(transport))
  } finally {
    await transport.close()
  }
}
