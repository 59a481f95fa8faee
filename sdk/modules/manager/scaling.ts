// The sleep and the wake of workloads of a Module that a manager names.
import type { KubeObject } from '../../engine/kube/object.js'
import {
  checkMaySleep,
  putWorkloadToSleep,
  type SleepCalls,
  sleepNote,
  wakeWorkload,
  whyAwake,
} from '../sleep/sleeping-workload.js'
import type { ClusterCallOptions, KnownReplicas, ModuleObjectReference } from './module-cluster.js'
import { knownReplicas, replicasIn, workloadsToWake } from './replicas.js'
import type { Target } from './target.js'

/** The name of a workload. */
export type WorkloadName = Omit<KnownReplicas, 'replicas'>

/** The cluster of a Module, for both calls. */
export interface ScalingCluster {
  readonly calls: SleepCalls
  /** The namespace of the Module. */
  readonly namespace: string
  /** Called with the workloads that are about to be put to sleep; nothing is written before it resolves. */
  readonly onSleep: ((workloads: readonly WorkloadName[]) => Promise<void>) | undefined
  targetOf(reference: ModuleObjectReference): Promise<Target>
  read(target: Target, options: ClusterCallOptions): Promise<KubeObject | undefined>
  /** Throws for an object that does not belong to the Module. */
  checkOwn(target: Target, live: KubeObject): void
}

type KnownOptions = ClusterCallOptions & { readonly known?: unknown }

/**
 * Puts workloads to sleep, and returns their former replicas. All workloads are read before the first one is written.
 */
export async function scaleDown(
  cluster: ScalingCluster,
  references: readonly ModuleObjectReference[],
  { known: given, ...options }: KnownOptions,
): Promise<KnownReplicas[]> {
  const workloads = await findWorkloads(cluster, references, { known: given, ...options })
  const running = workloads.filter(({ isRunning }) => isRunning).map(({ name }) => name)
  if (running.length > 0) await cluster.onSleep?.(running)
  const slept: KnownReplicas[] = []
  for (const workload of workloads) {
    const read = () => readOwn(cluster, workload.target, options)
    const call = { ...cluster.calls, ...options, known: workload.known }
    const replicas = await putWorkloadToSleep({ ...workload.target, read }, call)
    if (replicas !== undefined) slept.push({ ...workload.name, replicas })
  }
  return slept
}

/** A workload that may be put to sleep. */
interface FoundWorkload {
  readonly name: WorkloadName
  readonly target: Target
  readonly known: number | undefined
  readonly isRunning: boolean
}

/** Reads workloads. Throws for one that must not be put to sleep. */
async function findWorkloads(
  cluster: ScalingCluster,
  references: readonly ModuleObjectReference[],
  { known: given, ...options }: KnownOptions,
): Promise<FoundWorkload[]> {
  const all = knownReplicas(given)
  const workloads: FoundWorkload[] = []
  for (const reference of references) {
    const target = await cluster.targetOf(reference)
    const live = await readOwn(cluster, target, options)
    if (!live) continue
    const method = checkMaySleep(target, live, cluster.calls)
    const name = { apiVersion: reference.apiVersion, kind: reference.kind, ...target.key }
    const knownCount = replicasIn(all, reference, cluster.namespace)
    workloads.push({ name, target, known: knownCount, isRunning: method.runningOf(live) > 0 })
  }
  return workloads
}

/** Wakes workloads by the annotations that `scaleDown` wrote, or by its result. */
export async function scaleUp(
  cluster: ScalingCluster,
  workloads: unknown,
  { known: given, ...options }: KnownOptions,
): Promise<void> {
  const all = knownReplicas(given)
  for (const { reference, known } of workloadsToWake(workloads)) {
    const target = await cluster.targetOf(reference)
    const read = () => readSleeping(cluster, target, options)
    const call = {
      ...cluster.calls,
      ...options,
      known: known ?? replicasIn(all, reference, cluster.namespace),
    }
    await wakeWorkload({ ...target, read }, call)
  }
}

async function readOwn(
  cluster: ScalingCluster,
  target: Target,
  options: ClusterCallOptions,
): Promise<KubeObject | undefined> {
  const live = await cluster.read(target, options)
  if (live) cluster.checkOwn(target, live)
  return live
}

/**
 * Reads a workload to wake. Undefined if the workload is gone, or is awake without an annotation of a sleep; then its
 * owner is not checked.
 */
async function readSleeping(
  cluster: ScalingCluster,
  target: Target,
  options: ClusterCallOptions,
): Promise<KubeObject | undefined> {
  const live = await cluster.read(target, options)
  if (!live || (sleepNote(live) === undefined && whyAwake(target.resource, live) !== undefined))
    return undefined
  cluster.checkOwn(target, live)
  return live
}
