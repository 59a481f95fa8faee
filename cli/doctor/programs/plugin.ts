import { loadKubeconfig } from '../../../sdk/engine/transport/load-kubeconfig.js'
import { loadUserKubeconfig } from '../../clusters/user-kubeconfig.js'
import { checkCluster, isClusterNamed } from '../check-cluster.js'
import { vclusterFinding } from '../cluster-findings.js'
import type { DoctorOptions } from '../doctor-options.js'
import { type Finding, finding } from '../finding.js'
import { portFinding } from '../machine-findings.js'

/** Checks the two clusters that a plugin of a vcluster needs. */
export async function pluginFindings(options: DoctorOptions): Promise<Finding[]> {
  return [await portFinding(), ...(await hostFindings(options)), ...(await virtualFindings(options))]
}

async function hostFindings({ kubeconfig, context, namespace }: DoctorOptions): Promise<Finding[]> {
  const kubeconfigPath = kubeconfig ?? process.env.HOST_KUBECONFIG
  return checkCluster('host cluster', loadUserKubeconfig({ kubeconfig: kubeconfigPath, context }), {
    isNamed: isClusterNamed({ kubeconfig: kubeconfigPath, context }),
    moreChecks: async (transport, config) => [
      await vclusterFinding(transport, namespace ?? config.namespace ?? 'default'),
    ],
  })
}

async function virtualFindings({
  virtual = process.env.VIRTUAL_KUBECONFIG,
}: DoctorOptions): Promise<Finding[]> {
  const check = 'virtual cluster'
  if (virtual === undefined) return [finding(check, 'skipped', 'pass its kubeconfig with --virtual')]
  return checkCluster(check, loadKubeconfig({ file: virtual }), { isNamed: true })
}
