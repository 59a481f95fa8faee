import { createClient } from '../../../sdk/client/create-client.js'
import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'
import { loadUserKubeconfig } from '../../clusters/user-kubeconfig.js'
import type { DoctorOptions } from '../doctor-options.js'
import type { Finding } from '../finding.js'
import { operatorFindings } from '../operator/operator-findings.js'
import { withCluster } from '../with-cluster.js'

/** Checks what an operator needs in its first cluster. */
export async function operatorProgramFindings(
  description: OperatorDescription,
  { kubeconfig, context }: DoctorOptions,
): Promise<Finding[]> {
  const now = new Date()
  return withCluster('cluster', loadUserKubeconfig({ kubeconfig, context }), {
    isNamed: kubeconfig !== undefined || context !== undefined,
    further: (transport) => operatorFindings({ client: createClient({ transport }), description, now }),
  })
}
