import { PluginError } from '../../sdk/engine/kube/error.js'
import { NetworkError } from '../../sdk/engine/kube/network-error.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import type { Kubeconfig } from '../../sdk/engine/transport/kubeconfig.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { UserKubeconfigOptions } from '../clusters/user-kubeconfig.js'
import { clusterFindings } from './cluster-findings.js'
import { type Finding, finding } from './finding.js'

/** Options of {@link checkCluster}. */
export interface CheckClusterOptions {
  /** Whether the user named the kubeconfig; then it must be readable. */
  isNamed: boolean
  /** More checks, made only if the cluster answers; default none. */
  moreChecks?: (transport: Transport, config: Kubeconfig) => Promise<readonly Finding[]>
}

/** Whether the user named a cluster by a flag or by `KUBECONFIG`. Without them a machine may have no cluster. */
export function isClusterNamed({ kubeconfig, context }: UserKubeconfigOptions): boolean {
  return kubeconfig !== undefined || context !== undefined || Boolean(process.env.KUBECONFIG)
}

/** Checks whether a cluster answers, then runs `moreChecks`. Returns the findings of both. */
export async function checkCluster(
  check: string,
  loading: Promise<Kubeconfig>,
  { isNamed, moreChecks }: CheckClusterOptions,
): Promise<Finding[]> {
  try {
    const config = await loading
    const transport = createTransport({ kubeconfig: config })
    const findings = await clusterFindings({
      check,
      transport,
      source: `${config.source} (${config.server})`,
      nowMs: () => Date.now(),
    })
    const answers = findings[0]?.state === 'ok' && moreChecks !== undefined
    const all = answers
      ? [...findings, ...(await ifAnswering(check, moreChecks(transport, config)))]
      : findings
    await transport.close()
    return all
  } catch (error) {
    if (!(error instanceof PluginError)) throw error
    return [finding(check, isNamed ? 'failed' : 'skipped', error.message)]
  }
}

/** The findings of checks, or one that says that the cluster no longer answers. */
async function ifAnswering(check: string, checks: Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await checks
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const message = `${error.message}; the other checks were not made: run doctor again when the cluster answers`
    return [finding(check, 'failed', message)]
  }
}
