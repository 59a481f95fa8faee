/** Ends the Pods of Jobs as a kubelet does it; there is no node. */
import type { Client } from '../../sdk/engine/client/client.js'
import { pods } from '../../sdk/engine/kube/builtin.js'
import { isConflict, isNotFound } from '../../sdk/engine/kube/error.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'

const everyMs = 100

/** Lets each Pod of a Job succeed, until the signal aborts. */
export async function playJobs(client: Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { items } = await client.list(pods, { labelSelector: 'batch.kubernetes.io/job-name' })
    await Promise.all(items.filter(isPending).map((pod) => succeed(client, pod)))
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

const isPending = ({ status, metadata }: KubeObject & { status?: { phase?: string } }) =>
  status?.phase === 'Pending' && metadata.deletionTimestamp === undefined

async function succeed(client: Client, { metadata }: KubeObject): Promise<void> {
  const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
  const body = { status: { phase: 'Succeeded' } }
  await client.patch(pods, key, { type: 'merge', subresource: 'status', body }).catch((error: unknown) => {
    if (!isNotFound(error) && !isConflict(error)) throw error
  })
}
