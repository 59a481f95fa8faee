import * as z from 'zod'
import type { ReleaseObject } from '../../helm/reconciler/objects/release-object.js'
import { findOrTakeOverRelease, type ModuleRelease } from './find-or-take-over-release.js'
import type { HelmCall } from './helm-call.js'
import {
  putToSleep,
  type Sleeper,
  sleepersSchema,
  sleepManager,
  type WorkloadCalls,
  wake,
} from './workloads.js'

/** The key of the workloads that sleep, in the metadata. */
export const sleepersKey = 'sleepers'
/** The replicas in the metadata of Modules that another operator put to sleep. */
const formerKey = 'replicaHistory'

/** Puts the workloads of the release of a Module to sleep. */
export async function sleepRelease(call: HelmCall): Promise<void> {
  const { objects, calls, known } = await workloadsOf(call)
  call.metaData.set(sleepersKey, await putToSleep(objects, calls, known))
}

/** Wakes the workloads with their former replicas. */
export async function resumeRelease(call: HelmCall): Promise<void> {
  const { objects, calls, known } = await workloadsOf(call)
  await wake(objects, calls, known)
  for (const one of [sleepersKey, formerKey]) call.metaData.delete(one)
}

interface Workloads {
  readonly objects: readonly ReleaseObject[]
  readonly calls: WorkloadCalls
  readonly known: readonly Sleeper[]
}

async function workloadsOf(call: HelmCall): Promise<Workloads> {
  const { module, signal, metaData } = call
  const foundRelease = await findOrTakeOverRelease(call)
  if (!foundRelease)
    throw new Error(
      'the metadata of the Module names no release that could sleep or wake; restore its metadata, or create the Module again',
    )
  const { client, onSleep, keepVolumes } = module
  const { key: release, owned } = foundRelease
  return {
    objects: (await mayTouch(call, foundRelease)) ? await owned.objects() : [],
    calls: { client, live: owned.live, release, signal, fieldManager: sleepManager, onSleep, keepVolumes },
    known: metaData.decode(sleepersKey, sleepersSchema) ?? formerSleepers(metaData.get(formerKey)),
  }
}

const replicaCounts = z
  .array(z.object({ Namespace: z.string(), Name: z.string(), Replicas: z.int().min(0) }))
  .default([])
const historySchema = z.object({
  deployments: replicaCounts,
  replicaSets: replicaCounts,
  statefulSets: replicaCounts,
})

/** The workloads that another operator put to sleep. */
function formerSleepers(history: unknown): Sleeper[] {
  const { data } = historySchema.safeParse(history)
  if (!data) return []
  const of = (kind: string, counts: z.output<typeof replicaCounts>) =>
    counts.map(({ Namespace: namespace, Name: name, Replicas: replicas }) => ({
      apiVersion: 'apps/v1',
      kind,
      namespace,
      name,
      replicas,
    }))
  return [
    ...of('Deployment', data.deployments),
    ...of('ReplicaSet', data.replicaSets),
    ...of('StatefulSet', data.statefulSets),
  ]
}

/** Whether the release may be changed: not if another program has installed a release of the same name since. */
async function mayTouch(call: HelmCall, { owned }: ModuleRelease): Promise<boolean> {
  return call.isAdopted || (await owned.isOwn())
}
