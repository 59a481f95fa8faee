import type { Client } from '../../sdk/engine/client/client.js'
import { deployments, persistentVolumeClaims, services } from '../../sdk/engine/kube/builtin.js'
import { daemonSets, jobs, statefulSets } from '../../sdk/engine/kube/builtin-workloads.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import { keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { apiServices, availableApiService } from './api-service-status.js'
import {
  balancedService,
  boundClaim,
  completeJob,
  readyDaemonSet,
  readyDeployment,
  readyStatefulSet,
  type WorkloadStatus,
} from './workload-status.js'

/** A kind whose controller is simulated. */
export interface SimulatedWorkload {
  readonly resource: Resource
  /** Writes the status of a ready object, unless the object has it already or is being deleted. */
  setReady(client: Client, object: KubeObject): Promise<void>
}

/** The kinds of workloads: their objects become ready, and Jobs succeed. */
const workloads: readonly SimulatedWorkload[] = [
  workload(deployments, readyDeployment),
  workload(statefulSets, readyStatefulSet),
  workload(daemonSets, readyDaemonSet),
  workload(jobs, completeJob),
]

/** All kinds whose controllers are simulated: also claims get volumes, load balancers addresses, and APIs answer. */
export const simulatedKinds: readonly SimulatedWorkload[] = [
  ...workloads,
  workload(persistentVolumeClaims, boundClaim),
  workload(services, balancedService),
  workload(apiServices, availableApiService),
]

function workload<T extends KubeObject>(
  resource: Resource<T>,
  statusOf: (object: T) => WorkloadStatus | undefined,
): SimulatedWorkload {
  return {
    resource,
    async setReady(client, { metadata }) {
      const object = await client.get(resource, keyOf({ metadata }))
      const readyStatus = object.metadata.deletionTimestamp === undefined ? statusOf(object) : undefined
      const { status } = object as { status?: Record<string, unknown> }
      const isWritten = Object.entries(readyStatus ?? {}).every(
        ([field, value]) => (status?.[field] ?? null) === value,
      )
      if (isWritten) return
      await client.patch(resource, keyOf(object), {
        type: 'merge',
        subresource: 'status',
        body: { status: readyStatus },
      })
    },
  }
}

/**
 * Simulates the controllers of workloads for one name: the Deployment, the StatefulSet and the DaemonSet of that name
 * are ready, and the Job has succeeded. Writes nothing if their status says so already. Rejects with `ApiError` 404 if
 * there is none of them.
 */
export async function setWorkloadReady(client: Client, object: Pick<KubeObject, 'metadata'>): Promise<void> {
  const absent: unknown[] = []
  for (const { setReady } of workloads)
    await setReady(client, object).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
      absent.push(error)
    })
  if (absent.length === workloads.length) throw absent[0]
}

/** Simulates the controllers of all workloads, claims, load balancers and APIServices of a cluster. */
export async function setAllWorkloadsReady(client: Client): Promise<void> {
  for (const { resource, setReady } of simulatedKinds)
    for (const object of (await client.listAll(resource)).items) await setReady(client, object)
}
