/**
 * The sleep of the workloads of a release: Deployments, StatefulSets and ReplicaSets have no replicas, CronJobs are suspended. A
 * HorizontalPodAutoscaler does nothing while its target has no replicas. Each patch records the former state on the object, so that a
 * crash does not lose it.
 */
import { z } from 'zod'
import { belongsTo, type ReleaseObject } from '../../helm/reconciler/release-object.js'
import type { KubeObject } from '../../kube/object.js'
import { apiVersionOf } from '../../kube/resource.js'
import { modules } from '../kinds/module-kind.js'
import { replicasAnnotation, replicasOf, sleepingReplicas } from '../manager/replicas.js'
import { patchSpec, removeNote, type WorkloadCalls } from './note.js'

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

/** Puts workloads to sleep, and returns their former replicas. `known` is the result of an earlier attempt. */
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
  return isOwnedReplicaSet(object, found) ? undefined : found
}

/**
 * A Deployment adopts each ReplicaSet that its selector matches, and decides its replicas from then on. So does another controller, such as
 * that of a Rollout. A Module is the controller of the objects of its release.
 */
const isOwnedReplicaSet = (object: ReleaseObject, { metadata }: KubeObject) =>
  kindOf(object) === 'apps/ReplicaSet' &&
  metadata.ownerReferences?.some(({ controller, kind }) => controller && kind !== modules.kind)

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
  const note = { [replicasAnnotation]: String(replicas) }
  if (replicasOf(live) !== 0) await patchSpec(object, live, { calls, note, spec: { replicas: 0 } })
  return replicas
}

/** The note goes last: it says after a crash that the wake has not ended. */
async function scaleUp(object: ReleaseObject, live: KubeObject, { calls, known }: Scaling): Promise<void> {
  const replicas = sleepingReplicas(live, object, known)
  const sleeps = replicasOf(live) === 0 && replicas > 0
  if (!sleeps && !hasNote(live, replicasAnnotation)) return
  const now = sleeps ? await patchSpec(object, live, { calls, spec: { replicas } }) : live
  await removeNote(object, now, { calls, annotation: replicasAnnotation })
}

async function suspend(
  object: ReleaseObject,
  live: KubeObject,
  calls: WorkloadCalls,
): Promise<number | undefined> {
  if (isSuspended(live)) return hasNote(live, suspendedAnnotation) ? 0 : undefined
  await patchSpec(object, live, { calls, note: { [suspendedAnnotation]: 'true' }, spec: { suspend: true } })
  return 0
}

/** A CronJob that was suspended before the sleep has no note, and stays so. */
async function unsuspend(object: ReleaseObject, live: KubeObject, calls: WorkloadCalls): Promise<void> {
  if (!hasNote(live, suspendedAnnotation)) return
  const now = isSuspended(live) ? await patchSpec(object, live, { calls, spec: { suspend: false } }) : live
  await removeNote(object, now, { calls, annotation: suspendedAnnotation })
}

const hasNote = ({ metadata }: KubeObject, annotation: string) =>
  metadata.annotations?.[annotation] !== undefined

const kindOf = ({ resource: { group, kind } }: ReleaseObject) => `${group}/${kind}`
const isCronJob = (object: ReleaseObject) => kindOf(object) === 'batch/CronJob'
const isSuspended = (live: KubeObject) => (live as { spec?: { suspend?: boolean } }).spec?.suspend === true

const sleeperOf = ({ resource, key }: ReleaseObject, replicas: number): Sleeper => ({
  ...{ apiVersion: apiVersionOf(resource), kind: resource.kind },
  ...{ namespace: key.namespace, name: key.name, replicas },
})

const isSame = (one: Sleeper, other: Sleeper) =>
  one.kind === other.kind && one.namespace === other.namespace && one.name === other.name
