import { createClient } from '../../sdk/engine/client/create-client.js'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { reasonOf } from '../../sdk/engine/kube/network-error.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { Side } from '../../sdk/vcluster/context/register-context.js'
import { shellWord } from '../terminal/shell-word.js'
import type { DevCluster } from './clusters.js'
import { type OneContextOptions, oneContext } from './one-context.js'

/** Time limit of the request for the cluster's version, in milliseconds. */
const answerMs = 10_000

/** A cluster outside this process. */
export interface ExistingCluster extends DevCluster {
  /** `context kind-a of /home/me/.kube/config`, for messages. */
  source: string
}

/**
 * Opens the cluster of a kubeconfig, and only reads from it. Throws a `PluginError` `KUBECONFIG`, or
 * `CLUSTER_UNREACHABLE` if the cluster does not answer.
 */
export async function openRealCluster(side: Side, options: OneContextOptions): Promise<ExistingCluster> {
  const { file } = options
  const { context, text } = await oneContext(options)
  const source = `context ${context} of ${file}`
  const kubeconfig = await loadKubeconfig({ text, source })
  const kubectl = `kubectl --kubeconfig ${shellWord(file)} --context ${shellWord(context)}`
  const transport = createTransport({ kubeconfig, cluster: side, userAgent: 'vcluster-plugin-dev' })
  const problem = await problemOf(transport)
  if (problem !== undefined) {
    const clusterText = `the ${side} cluster of ${source} (${kubeconfig.server})`
    throw new PluginError('CLUSTER_UNREACHABLE', `${clusterText} ${problem}; try: ${kubectl} version`)
  }
  const client = createClient({ transport, fieldManager: 'vcluster-plugin-dev' })
  const facts = { url: kubeconfig.server, source, kubectl }
  return { ...facts, isReal: true, pluginKubeconfig: text, ownKubeconfig: text, transport, client }
}

async function problemOf(transport: Transport): Promise<string | undefined> {
  try {
    const { status } = await transport.request({ method: 'GET', path: '/version', timeoutMs: answerMs })
    if (status === 401) return 'refuses the credentials (401): they are wrong or have expired; renew them'
    return status === 200 ? undefined : `answered ${status} to GET /version`
  } catch (error) {
    return `does not answer: ${reasonOf(error)}`
  }
}
