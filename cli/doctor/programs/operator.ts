import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../../sdk/engine/client/create-client.js'
import type { Kubeconfig } from '../../../sdk/engine/transport/kubeconfig.js'
import { loadKubeconfig } from '../../../sdk/engine/transport/load-kubeconfig.js'
import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'
import { loadUserKubeconfig } from '../../clusters/user-kubeconfig.js'
import { checkCluster, isClusterNamed } from '../check-cluster.js'
import type { DoctorOptions } from '../doctor-options.js'
import { type Finding, finding } from '../finding.js'
import { operatorFindings } from '../operator/operator-findings.js'

/**
 * Checks what an operator needs in each of its clusters. With several, each check begins with the name of its cluster.
 */
export async function operatorProgramFindings(
  description: OperatorDescription,
  options: DoctorOptions,
): Promise<Finding[]> {
  const [first = '', ...others] = description.clusters
  const { kubeconfig, context, kubeconfigs = process.env.CLUSTER_KUBECONFIGS } = options
  const findings = await findingsIn(description, first, {
    loading: loadUserKubeconfig({ kubeconfig, context }),
    isNamed: isClusterNamed({ kubeconfig, context }),
  })
  if (others.length === 0) return findings
  const all = [...withClusterName(first, findings)]
  for (const cluster of others) all.push(...(await findingsOfOther(description, cluster, kubeconfigs)))
  return all
}

async function findingsOfOther(
  description: OperatorDescription,
  cluster: string,
  folder: string | undefined,
): Promise<Finding[]> {
  const file = join(folder ?? '', `${cluster}.kubeconfig`)
  if (folder === undefined || !existsSync(file)) {
    const cure = `pass a folder with the file ${cluster}.kubeconfig with --kubeconfigs, or set CLUSTER_KUBECONFIGS`
    return withClusterName(cluster, [finding('cluster', 'skipped', cure)])
  }
  const loading = loadKubeconfig({ file })
  return withClusterName(cluster, await findingsIn(description, cluster, { loading, isNamed: true }))
}

function findingsIn(
  description: OperatorDescription,
  cluster: string,
  { loading, isNamed }: { loading: Promise<Kubeconfig>; isNamed: boolean },
): Promise<Finding[]> {
  const now = new Date()
  return checkCluster('cluster', loading, {
    isNamed,
    moreChecks: (transport) =>
      operatorFindings({ client: createClient({ transport }), cluster, description, now }),
  })
}

const withClusterName = (cluster: string, findings: readonly Finding[]) =>
  findings.map((ofCluster) => ({ ...ofCluster, check: `${cluster}: ${ofCluster.check}` }))
