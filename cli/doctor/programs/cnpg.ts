import type { CnpgPluginDescription } from '../../../sdk/cnpg/description.js'
import { createClient } from '../../../sdk/engine/client/create-client.js'
import { loadUserKubeconfig } from '../../clusters/user-kubeconfig.js'
import { checkCluster, isClusterNamed } from '../check-cluster.js'
import { cnpgFindings } from '../cnpg/cnpg-findings.js'
import type { DoctorOptions } from '../doctor-options.js'
import type { Finding } from '../finding.js'

/** Checks how the CloudNativePG operator of a cluster reaches a plugin. */
export async function cnpgPluginFindings(
  { name }: CnpgPluginDescription,
  { kubeconfig, context, namespace }: DoctorOptions,
): Promise<Finding[]> {
  const now = new Date()
  return checkCluster('cluster', loadUserKubeconfig({ kubeconfig, context }), {
    isNamed: isClusterNamed({ kubeconfig, context }),
    moreChecks: (transport, { namespace: contextNamespace }) =>
      cnpgFindings({ client: createClient({ transport }), plugin: name, namespace, contextNamespace, now }),
  })
}
