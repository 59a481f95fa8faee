/**
 * The sleep of the workloads of a release, by the methods of `sleep/`. A HorizontalPodAutoscaler does nothing while its
 * target has no replicas. The note on each workload keeps its former state, so that a crash does not lose it.
 */
import * as z from 'zod'
import type { KubeObject } from '../../engine/kube/object.js'
import { apiVersionOf } from '../../engine/kube/resource.js'
import type { LiveObjects } from '../../helm/reconciler/objects/live-objects.js'
import { belongsTo, type ReleaseObject } from '../../helm/reconciler/objects/release-object.js'
import { modules } from '../kinds/module-kind.js'
import type { WorkloadName } from '../manager/scaling.js'
import { workloadMethod } from '../sleep/sleep-method.js'
import {
  checkMaySleep,
  putWorkloadToSleep,
  type SleepCalls,
  type SleepingWorkload,
  wakeWorkload,
} from '../sleep/sleeping-workload.js'
import type { ReleaseKey } from './render-helm-spec.js'

/** The field manager of the sleep. With the operator's own field manager, the next upgrade by helm 4 would conflict. */
export const sleepManager = 'forkspacer.com/sleep'

/** The former replicas of workloads that sleep, as metadata keeps them. */
export const sleepersSchema = z.array(
  z.object({
    apiVersion: z.string(),
    kind: z.string(),
    namespace: z.string(),
    name: z.string(),
    /** 1 or 0 for a workload without replicas. */
    replicas: z.int().min(0),
  }),
)
/** A workload that sleeps. */
export type Sleeper = z.output<typeof sleepersSchema>[number]

/** The calls to the cluster of a release. */
export interface WorkloadCalls extends SleepCalls {
  readonly live: LiveObjects
  readonly release: ReleaseKey
  /** Called with the workloads that are about to be put to sleep; nothing is written before it resolves. */
  readonly onSleep: ((workloads: readonly WorkloadName[]) => Promise<void>) | undefined
}

/**
 * Puts workloads to sleep, and returns their former replicas. `earlierSleepers` is the result of an earlier attempt.
 * All workloads are read before the first one is written.
 */
export async function putToSleep(
  objects: readonly ReleaseObject[],
  calls: WorkloadCalls,
  earlierSleepers: readonly Sleeper[],
): Promise<Sleeper[]> {
  const workloads = objects.filter(({ resource }) => workloadMethod(resource))
  const running: WorkloadName[] = []
  for (const object of workloads) {
    const live = await liveWorkload(object, calls)
    if (live && checkMaySleep(object, live, calls).runningOf(live) > 0) running.push(nameOf(object))
  }
  if (running.length > 0) await calls.onSleep?.(running)
  const sleepers: Sleeper[] = []
  for (const object of workloads) {
    const replicas = await putWorkloadToSleep(
      workloadOf(object, calls),
      optionsOf(object, calls, earlierSleepers),
    )
    if (replicas !== undefined) sleepers.push({ ...nameOf(object), replicas })
  }
  const isNew = (one: Sleeper) => !sleepers.some((other) => isSame(one, other))
  return [...sleepers, ...earlierSleepers.filter(isNew)]
}

/** Wakes workloads. A workload that was deleted, or that somebody woke meanwhile, is left alone. */
export async function wake(
  objects: readonly ReleaseObject[],
  calls: WorkloadCalls,
  sleepers: readonly Sleeper[],
): Promise<void> {
  for (const object of objects)
    if (workloadMethod(object.resource))
      await wakeWorkload(workloadOf(object, calls), optionsOf(object, calls, sleepers))
}

function workloadOf(object: ReleaseObject, calls: WorkloadCalls): SleepingWorkload {
  const { resource, key } = object
  return { resource, key, read: () => liveWorkload(object, calls) }
}

function optionsOf(object: ReleaseObject, calls: WorkloadCalls, knownSleepers: readonly Sleeper[]) {
  const name = nameOf(object)
  return { ...calls, known: knownSleepers.find((one) => isSame(one, name))?.replicas }
}

async function liveWorkload(
  object: ReleaseObject,
  { live, release }: WorkloadCalls,
): Promise<KubeObject | undefined> {
  const liveObject = await live.read(object)
  if (!liveObject || liveObject.metadata.deletionTimestamp !== undefined || !belongsTo(liveObject, release))
    return undefined
  return isOwnedReplicaSet(object, liveObject) ? undefined : liveObject
}

/**
 * Whether another controller decides the replicas of a ReplicaSet: a Deployment whose selector matches it, or for
 * example a Rollout. A Module itself is the controller of the objects of its release.
 */
const isOwnedReplicaSet = ({ resource }: ReleaseObject, { metadata }: KubeObject) =>
  resource.group === 'apps' &&
  resource.kind === 'ReplicaSet' &&
  metadata.ownerReferences?.some(({ controller, kind }) => controller && kind !== modules.kind)

const nameOf = ({ resource, key }: ReleaseObject) => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  namespace: key.namespace,
  name: key.name,
})

const isSame = (one: WorkloadName, other: WorkloadName) =>
  one.kind === other.kind && one.namespace === other.namespace && one.name === other.name
