/**
 * The sleep of the workloads of a release: Deployments, StatefulSets and ReplicaSets have no replicas, CronJobs are suspended. A
 * HorizontalPodAutoscaler rests by itself while its target has no replicas. Each patch notes on the object what it had, so that a
 * crash does not lose it.
 */
import { z } from 'zod'
import type { Client } from '../../client/client.js'
import type { LiveObjects } from '../../helm/reconciler/live-objects.js'
import { belongsTo, type ReleaseObject } from '../../helm/reconciler/release-object.js'
import type { KubeObject } from '../../kube/object.js'
import { apiVersionOf } from '../../kube/resource.js'
import { replicasAnnotation, replicasOf, sleepingReplicas } from '../manager/replicas.js'
import type { ReleaseKey } from './render-helm-spec.js'

/** The annotation of a CronJob that sleeps. */
export const suspendedAnnotation = 'forkspacer.com/suspended'

const scaled: ReadonlySet<string> = new Set(['apps/Deployment', 'apps/StatefulSet', 'apps/ReplicaSet'])

/** The former replicas of workloads that sleep, as metadata keeps them. */
export const sleepersSchema = z.array(
  z.object({
    apiVersion: z.string(),
    kind: z.string(),
    namespace: z.string(),
    name: z.string(),
    /** 0 for a CronJob. */
    replicas: z.int().min(0),
  }),
)
/** A workload that sleeps. */
export type Sleeper = z.output<typeof sleepersSchema>[number]

/** The calls to the cluster of a release. */
export interface WorkloadCalls {
  readonly client: Client
  readonly live: LiveObjects
  readonly release: ReleaseKey
  readonly signal: AbortSignal
}

/** Puts workloads to sleep, and answers what they had. `known` is what an earlier attempt answered. */
export async function putToSleep(
  objects: readonly ReleaseObject[],
  calls: WorkloadCalls,
  known: readonly Sleeper[],
): Promise<Sleeper[]> {
  const sleepers: Sleeper[] = []
  for (const object of objects) {
    const live = await liveWorkload(object, calls)
    if (!live) continue
    const replicas = isCronJob(object)
      ? await suspend(object, live, calls)
      : await scaleDown(object, live, { calls, known })
    if (replicas !== undefined) sleepers.push(sleeperOf(object, replicas))
  }
  const isNew = (one: Sleeper) => !sleepers.some((other) => isSame(one, other))
  return [...sleepers, ...known.filter(isNew)]
}

/** Wakes workloads. One that was deleted, or that somebody woke meanwhile, is left alone. */
export async function wake(
  objects: readonly ReleaseObject[],
  calls: WorkloadCalls,
  known: readonly Sleeper[],
): Promise<void> {
  for (const object of objects) {
    const live = await liveWorkload(object, calls)
    if (!live) continue
    if (isCronJob(object)) await unsuspend(object, live, calls)
    else await scaleUp(object, live, { calls, known })
  }
}

async function liveWorkload(
  object: ReleaseObject,
  { live, release }: WorkloadCalls,
): Promise<KubeObject | undefined> {
  if (!isCronJob(object) && !scaled.has(kindOf(object))) return undefined
  const found = await live.read(object)
  if (!found || found.metadata.deletionTimestamp !== undefined || !belongsTo(found, release)) return undefined
  const isOfWorkload = found.metadata.ownerReferences?.some(
    ({ controller, apiVersion }) => controller && apiVersion.startsWith('apps/'),
  )
  return isOfWorkload ? undefined : found
}

interface Scaling {
  readonly calls: WorkloadCalls
  readonly known: readonly Sleeper[]
}

async function scaleDown(
  object: ReleaseObject,
  live: KubeObject,
  { calls, known }: Scaling,
): Promise<number> {
  const replicas = sleepingReplicas(live, object, known)
  if (replicasOf(live) !== 0)
    await patch(object, live, { calls, note: [replicasAnnotation, String(replicas)], spec: { replicas: 0 } })
  return replicas
}

async function scaleUp(object: ReleaseObject, live: KubeObject, { calls, known }: Scaling): Promise<void> {
  const isNoted = live.metadata.annotations?.[replicasAnnotation] !== undefined
  const replicas = sleepingReplicas(live, object, known)
  const spec = replicasOf(live) === 0 && replicas > 0 ? { replicas } : undefined
  if (spec || isNoted) await patch(object, live, { calls, note: [replicasAnnotation, null], spec })
}

async function suspend(
  object: ReleaseObject,
  live: KubeObject,
  calls: WorkloadCalls,
): Promise<number | undefined> {
  const isNoted = live.metadata.annotations?.[suspendedAnnotation] !== undefined
  if (isSuspended(live)) return isNoted ? 0 : undefined
  await patch(object, live, { calls, note: [suspendedAnnotation, 'true'], spec: { suspend: true } })
  return 0
}

/** A CronJob that was suspended before the sleep has no note, and stays so. */
async function unsuspend(object: ReleaseObject, live: KubeObject, calls: WorkloadCalls): Promise<void> {
  if (live.metadata.annotations?.[suspendedAnnotation] === undefined) return
  await patch(object, live, { calls, note: [suspendedAnnotation, null], spec: { suspend: false } })
}

interface Change {
  readonly calls: WorkloadCalls
  readonly note: readonly [annotation: string, value: string | null]
  readonly spec: object | undefined
}

async function patch(
  { resource, key }: ReleaseObject,
  { metadata: { uid } }: KubeObject,
  { calls: { client, signal }, note: [annotation, value], spec }: Change,
): Promise<void> {
  const body = { metadata: { uid, annotations: { [annotation]: value } }, ...(spec && { spec }) }
  await client.patch(resource, key, { type: 'merge', body, signal })
}

const kindOf = ({ resource: { group, kind } }: ReleaseObject) => `${group}/${kind}`
const isCronJob = (object: ReleaseObject) => kindOf(object) === 'batch/CronJob'
const isSuspended = (live: KubeObject) => (live as { spec?: { suspend?: boolean } }).spec?.suspend === true

const sleeperOf = ({ resource, key }: ReleaseObject, replicas: number): Sleeper => ({
  ...{ apiVersion: apiVersionOf(resource), kind: resource.kind },
  ...{ namespace: key.namespace, name: key.name, replicas },
})

const isSame = (one: Sleeper, other: Sleeper) =>
  one.kind === other.kind && one.namespace === other.namespace && one.name === other.name
