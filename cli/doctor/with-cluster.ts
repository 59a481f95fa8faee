import { PluginError } from '../../sdk/engine/kube/error.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import type { Kubeconfig } from '../../sdk/engine/transport/kubeconfig.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { clusterFindings } from './cluster-findings.js'
import { type Finding, finding } from './finding.js'

/** Options of {@link withCluster}. */
export interface WithClusterOptions {
  /** Whether the user named the kubeconfig; then it must be readable. */
  isNamed: boolean
  /** Further checks of a cluster that answers; default none. */
  further?: (transport: Transport, config: Kubeconfig) => Promise<readonly Finding[]>
}

/** Checks a cluster, and then what `further` checks if it answers. */
export async function withCluster(
  check: string,
  loading: Promise<Kubeconfig>,
  { isNamed, further }: WithClusterOptions,
): Promise<Finding[]> {
  try {
    const config = await loading
    const transport = createTransport({ kubeconfig: config })
    const found = await clusterFindings({ check, transport, source: config.source, nowMs: () => Date.now() })
    const answers = found[0]?.state === 'ok' && further !== undefined
    const all = answers ? [...found, ...(await further(transport, config))] : found
    await transport.close()
    return all
  } catch (error) {
    if (!(error instanceof PluginError)) throw error
    return [finding(check, isNamed ? 'failed' : 'skipped', error.message)]
  }
}
