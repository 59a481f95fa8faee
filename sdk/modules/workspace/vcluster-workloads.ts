/**
 * Pauses and resumes the workloads of a vcluster on its host. The replicas are kept in the same annotations that
 * `vcluster pause` and `vcluster resume` use, so that either tool can wake workloads that the other put to sleep.
 */
import type { Client } from '../../engine/client/client.js'
import { type Deployment, deployments, pods } from '../../engine/kube/builtin.js'
import { type StatefulSet, statefulSets } from '../../engine/kube/builtin-workloads.js'
import { isConflict, isNotFound } from '../../engine/kube/error.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { timeText } from '../kinds/fields.js'
import type { NamedObject } from '../kinds/module.js'

// The annotations of a workload that is paused, as vcluster writes them.
const pausedAnnotation = 'loft.sh/paused'
const replicasAnnotation = 'loft.sh/paused-replicas'
const dateAnnotation = 'loft.sh/paused-date'
/** The UID of the Workspace that put a vcluster to sleep. */
const pausedByAnnotation = 'forkspacer.com/paused-by'

/** Selects the workloads of all vclusters. */
export const vclusterSelector = 'app in (vcluster,vcluster-api,vcluster-controller,vcluster-etcd)'
/** The label with the name of a vcluster on its workloads. */
export const workloadLabel = 'release'

/** A StatefulSet or a Deployment of a vcluster. */
export interface VClusterWorkload {
  readonly resource: Resource
  readonly live: StatefulSet | Deployment
}

/** The calls about the workloads of one vcluster. */
export interface VClusterCalls {
  readonly client: Client
  readonly signal: AbortSignal
}

/** Finds the workloads of a vcluster. Rejects if there are none. */
export async function findWorkloads(
  vcluster: NamedObject,
  calls: VClusterCalls,
): Promise<VClusterWorkload[]> {
  const workloads = await listWorkloads(vcluster, calls)
  if (workloads.length > 0) return workloads
  throw new Error(
    `vcluster ${formatKey(vcluster)} does not exist: no StatefulSet and no Deployment there has the labels ` +
      `app=vcluster,release=${vcluster.name}; create it, or correct spec.vcluster`,
  )
}

/**
 * The workloads of a vcluster: its StatefulSet, or else its Deployment with a separate API server, controller and etcd.
 */
export async function listWorkloads(
  { name, namespace }: NamedObject,
  { client, signal }: VClusterCalls,
): Promise<VClusterWorkload[]> {
  const find = async (resource: Resource, app: string): Promise<VClusterWorkload[]> => {
    const labelSelector = `app=${app},${workloadLabel}=${name}`
    const { items } = await client.listAll(resource, { namespace, labelSelector, signal })
    return items.map((live) => ({ resource, live: live as KubeObject as Deployment }))
  }
  const [sets, apps] = [statefulSets as never as Resource, deployments as never as Resource]
  const main = await find(sets, 'vcluster')
  if (main.length > 0) return main
  const apis = await find(apps, 'vcluster')
  if (apis.length === 0) return []
  const parts = [find(apps, 'vcluster-api'), find(apps, 'vcluster-controller'), find(sets, 'vcluster-etcd')]
  return [...apis, ...(await Promise.all(parts)).flat()]
}

/** Whether `vcluster pause` or a Workspace scaled a workload to 0. */
export const isWorkloadPaused = ({ live }: VClusterWorkload): boolean =>
  live.metadata.annotations?.[pausedAnnotation] === 'true'

/** Whether the Workspace with the UID put a workload to sleep, or took it over asleep. */
export const isPausedBy = ({ live }: VClusterWorkload, uid: string): boolean =>
  live.metadata.annotations?.[pausedByAnnotation] === uid

/** Whether no Pod of a workload is left. */
export const isDown = ({ live }: VClusterWorkload): boolean =>
  live.spec?.replicas === 0 && (live.status?.replicas ?? 0) === 0

/** Whether a workload serves: its readiness probe asks the virtual API server. */
export const isUp = ({ live }: VClusterWorkload): boolean =>
  live.spec?.replicas !== 0 && (live.status?.readyReplicas ?? 0) > 0

/** Scales a workload to 0. The replicas are noted in the same patch, so that a crash does not lose them. */
export async function pause(
  workload: VClusterWorkload,
  { uid, now, ...calls }: VClusterCalls & { uid: string; now: Date },
): Promise<void> {
  const { replicas = 1 } = workload.live.spec ?? {}
  if (replicas === 0) return
  const annotations = {
    [pausedAnnotation]: 'true',
    [replicasAnnotation]: String(replicas),
    [dateAnnotation]: timeText(now),
    [pausedByAnnotation]: uid,
  }
  await patchWorkload(workload, { annotations, spec: { replicas: 0 } }, calls)
}

/** Scales a workload to the replicas that it had. Rejects if the number is unknown, because it is never guessed. */
export async function resume(workload: VClusterWorkload, calls: VClusterCalls): Promise<void> {
  const { live, resource } = workload
  const text = live.metadata.annotations?.[replicasAnnotation] ?? ''
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new Error(
      `${resource.kind} ${formatKey(keyOf(live))} is paused, and its annotation ${replicasAnnotation} is ` +
        `${JSON.stringify(text)}: set it to the replicas to wake with`,
    )
  const names = [pausedAnnotation, replicasAnnotation, dateAnnotation, pausedByAnnotation]
  const annotations = Object.fromEntries(names.map((name) => [name, null]))
  await patchWorkload(workload, { annotations, spec: { replicas: Number(text) } }, calls)
}

/** Records the Workspace that must wake a workload in an annotation. */
export async function recordPausedBy(
  workload: VClusterWorkload,
  uid: string,
  calls: VClusterCalls,
): Promise<void> {
  await patchWorkload(workload, { annotations: { [pausedByAnnotation]: uid } }, calls)
}

/** Removes the annotations of a sleep that `vcluster resume` ended. */
export async function clearPausedBy(workload: VClusterWorkload, calls: VClusterCalls): Promise<void> {
  await patchWorkload(
    workload,
    { annotations: { [pausedByAnnotation]: null, [dateAnnotation]: null } },
    calls,
  )
}

/**
 * Deletes the Pods that a vcluster made on its host. They run on when the vcluster is stopped. A running vcluster would
 * make them again.
 */
export async function deletePods(
  { name, namespace }: NamedObject,
  { client, signal }: VClusterCalls,
): Promise<void> {
  const labelSelector = `vcluster.loft.sh/managed-by=${name}`
  const { items } = await client.listAll(pods, { namespace, labelSelector, signal })
  const isRunning = ({ metadata }: KubeObject) => metadata.deletionTimestamp === undefined
  const remove = async ({ metadata }: KubeObject) => {
    const { uid = '' } = metadata
    await client.delete(pods, keyOf({ metadata }), { uid, signal }).catch((error: unknown) => {
      if (!isNotFound(error) && !isConflict(error)) throw error
    })
  }
  await Promise.all(items.filter(isRunning).map(remove))
}

/** Patches a workload at the resourceVersion that was read, so that a concurrent change is a conflict. */
async function patchWorkload(
  { resource, live }: VClusterWorkload,
  { annotations, ...spec }: { annotations: Record<string, string | null>; spec?: object },
  { client, signal }: VClusterCalls,
): Promise<void> {
  const { uid, resourceVersion } = live.metadata
  const body = { metadata: { uid, resourceVersion, annotations }, ...spec }
  await client.patch(resource, keyOf(live), { type: 'merge', body, signal })
}
