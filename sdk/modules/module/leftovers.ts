import type { Client } from '../../client/client.js'
import {
  configMaps,
  deployments,
  persistentVolumeClaims,
  pods,
  secrets,
  services,
} from '../../kube/builtin.js'
import { cronJobs, jobs, statefulSets } from '../../kube/builtin-workloads.js'
import { ApiError } from '../../kube/error.js'
import { formatKey, keyOf } from '../../kube/key.js'
import type { Resource } from '../../kube/resource.js'
import { moduleLabel } from '../manager/client-cluster.js'
import { type ModuleOfRun, targetCluster } from './target-cluster.js'

/** The kinds that are listed. Other kinds are rare, and finding their objects would need a list of every served kind. */
const kinds: readonly Resource[] = [
  ...[deployments, statefulSets, jobs, cronJobs, pods],
  ...[services, configMaps, secrets, persistentVolumeClaims],
] as never

/** The most objects that are named. */
const mostNames = 20

/** Names the objects that are left of a Module in its cluster; or says why that is unknown. */
export async function leftoversOf(cluster: string | undefined, run: ModuleOfRun): Promise<string> {
  const { uid = '' } = run.module.metadata
  try {
    const { client } = await targetCluster(cluster, run)
    return await leftovers(client, uid, run.ctx.signal)
  } catch (error) {
    return `unknown: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Names the objects of the usual kinds that carry the label of a Module. Kinds that the operator may not list are left out. */
async function leftovers(client: Client, uid: string, signal: AbortSignal): Promise<string> {
  const lists = await Promise.all(kinds.map((resource) => labelled(client, { resource, uid, signal })))
  const names = lists.flat()
  if (names.length === 0) return 'none of the usual kinds'
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
  return `${names.slice(0, mostNames).join(', ')}${more}`
}

async function labelled(
  client: Client,
  { resource, uid, signal }: { resource: Resource; uid: string; signal: AbortSignal },
): Promise<string[]> {
  try {
    const { items } = await client.listAll(resource, { labelSelector: `${moduleLabel}=${uid}`, signal })
    return items.map((item) => `${resource.kind} ${formatKey(keyOf(item))}`)
  } catch (error) {
    if (error instanceof ApiError && [403, 404].includes(error.code)) return []
    throw error
  }
}
