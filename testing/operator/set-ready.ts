import type { Client } from '../../sdk/client/client.js'
import { type Deployment, deployments } from '../../sdk/kube/builtin.js'
import { keyOf } from '../../sdk/kube/key.js'

/**
 * Simulates the Deployment controller for one Deployment: its status says that all replicas of its spec are ready. Writes nothing
 * if the status says so already, or if the Deployment is being deleted. Rejects with `ApiError` 404 if there is none.
 */
export async function setDeploymentReady(
  client: Client,
  deployment: Pick<Deployment, 'metadata'>,
): Promise<void> {
  const key = keyOf(deployment)
  const { metadata, spec, status } = await client.get(deployments, key)
  if (metadata.deletionTimestamp !== undefined) return
  const wanted = readyStatus(metadata.generation, spec?.replicas ?? 1)
  const isReady = Object.entries(wanted).every(
    ([field, value]) => ((status as Record<string, unknown> | undefined)?.[field] ?? null) === value,
  )
  if (isReady) return
  const body = { status: wanted }
  await client.patch(deployments, key, { type: 'merge', subresource: 'status', body })
}

/** A Deployment controller leaves out the counts that are 0. */
function readyStatus(generation: number | undefined, replicas: number): Record<string, number | null> {
  const count = replicas > 0 ? replicas : null
  return {
    observedGeneration: generation ?? null,
    replicas: count,
    updatedReplicas: count,
    readyReplicas: count,
    availableReplicas: count,
  }
}
