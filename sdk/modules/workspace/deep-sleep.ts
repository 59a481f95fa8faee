/**
 * Puts the vcluster of a Workspace to sleep and wakes it. First the Modules of the Workspace sleep, then the workloads
 * of the vcluster, then the Pods that the vcluster made on the host. The state is in the status before the first
 * workload is scaled, so that no Module begins an operation in between.
 */
import { PermanentError } from '../../engine/kube/error.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { NamedObject } from '../kinds/module.js'
import type { VclusterState, Workspace } from '../kinds/workspace.js'
import type { KnownClusters } from '../module/connection/connection.js'
import { losesVolumes, lostVolumesError } from '../sleep/kept-volumes.js'
import {
  clearPausedBy,
  deletePods,
  findWorkloads,
  isDown,
  isPausedBy,
  isUp,
  isWorkloadPaused,
  listWorkloads,
  pause,
  recordPausedBy,
  resume,
  type VClusterCalls,
  type VClusterWorkload,
} from './vcluster-workloads.js'

/** The facts that decide whether a vcluster sleeps. */
export interface DeepSleepOptions extends VClusterCalls {
  readonly workspace: Workspace
  readonly vcluster: NamedObject
  /** The Workspaces that name the vcluster. */
  readonly sharedBy: readonly Workspace[]
  readonly wantsSleep: boolean
  /** Whether all Modules of the Workspace are asleep. */
  readonly areModulesAsleep: boolean
  readonly now: Date
}

/** The state of a vcluster after a run. */
export interface DeepSleep {
  readonly state: VclusterState
  readonly message?: string
  /** Whether to run again once the status is written. */
  readonly requeuesAtOnce?: boolean
  /** Whether `vcluster resume` woke the vcluster although the Workspace should sleep. */
  readonly isWokenByHand?: boolean
}

/** Refuses a vcluster that this operator cannot put to sleep. Throws a `PermanentError` with the reason. */
export function checkVcluster(
  { metadata, spec }: Pick<Workspace, 'metadata' | 'spec'>,
  {
    names,
    isAllowed,
    references,
  }: Pick<KnownClusters, 'names' | 'references'> & { readonly isAllowed: boolean },
): void {
  const refusalError = (why: string) =>
    new PermanentError(`Workspace ${metadata.namespace}/${metadata.name}: ${why}`)
  if (!spec.vcluster) return
  if (names.includes('virtual'))
    throw refusalError(
      'a plugin cannot put its vcluster to sleep: scaling it to 0 ends the plugin itself, and nothing would be left to wake it. ' +
        'Remove spec.vcluster, or run the operator on the host',
    )
  if (!isAllowed)
    throw refusalError(
      'this operator does not support spec.vcluster: set vclusters in the options of moduleControllers',
    )
  if (references === 'same-namespace' && spec.vcluster.namespace !== metadata.namespace)
    throw refusalError(
      `spec.vcluster names the namespace ${spec.vcluster.namespace}, whose users may not want it to sleep: name a vcluster of the same ` +
        'namespace, or set references to all-namespaces in the options of moduleControllers',
    )
}

/** Takes the next steps to the wanted state, and returns the state that is reached. */
export async function keepVcluster(options: DeepSleepOptions): Promise<DeepSleep> {
  return takeNextSteps(await findWorkloads(options.vcluster, options), options)
}

/**
 * Takes the next steps to wake a vcluster that its Workspace put to sleep, before the Workspace goes. Returns the state
 * that is reached; undefined if the vcluster does not exist.
 */
export async function releaseVcluster(options: DeepSleepOptions): Promise<DeepSleep | undefined> {
  const workloads = await listWorkloads(options.vcluster, options)
  return workloads.length > 0 ? takeNextSteps(workloads, { ...options, wantsSleep: false }) : undefined
}

async function takeNextSteps(
  workloads: readonly VClusterWorkload[],
  options: DeepSleepOptions,
): Promise<DeepSleep> {
  const { workspace, wantsSleep } = options
  const { uid = '' } = workspace.metadata
  const resumed = workloads.filter((workload) => !isWorkloadPaused(workload) && isPausedBy(workload, uid))
  if (resumed.length > 0 && wantsSleep) return { state: stateOf(workloads), isWokenByHand: true }
  for (const workload of resumed) await clearPausedBy(workload, options)
  if (resumed.length > 0) return { state: stateOf(workloads), requeuesAtOnce: true }
  return wantsSleep ? putToSleep(workloads, options) : wake(workloads, options)
}

/** Takes the next step to put the vcluster to sleep. */
async function putToSleep(
  workloads: readonly VClusterWorkload[],
  options: DeepSleepOptions,
): Promise<DeepSleep> {
  const { workspace, vcluster, areModulesAsleep, now } = options
  const { uid = '' } = workspace.metadata
  checkVolumes(workloads)
  const paused = workloads.filter(isWorkloadPaused)
  const holder = holderOf(paused, options)
  if (holder) return heldState(holder, options)
  if (paused.length === 0 && !areModulesAsleep) return awakeOrWaking(workloads, options)
  if (paused.length === 0 && workspace.status?.vcluster !== 'sleeping')
    return { state: 'sleeping', requeuesAtOnce: true }
  for (const workload of paused) if (!isPausedBy(workload, uid)) await recordPausedBy(workload, uid, options)
  const toPause = workloads.filter(
    (workload) => !isWorkloadPaused(workload) && workload.live.spec?.replicas !== 0,
  )
  for (const workload of toPause) await pause(workload, { ...options, uid, now })
  const isEmpty = workloads.every(isDown)
  const message = `vcluster ${nameOf(options)} is going to sleep`
  // The status of a workload that never had a Pod does not change.
  if (!isEmpty) return { state: 'sleeping', message, requeuesAtOnce: toPause.length > 0 }
  await deletePods(vcluster, options)
  return { state: 'asleep' }
}

/**
 * Throws a `PermanentError` for a vcluster that would lose its data. `vcluster resume` could not restore the policy of
 * its volumes.
 */
function checkVolumes(workloads: readonly VClusterWorkload[]): void {
  for (const { resource, live } of workloads)
    if (live.spec?.replicas !== 0 && losesVolumes(resource, live)) throw lostVolumesError(keyOf(live), '')
}

/** Another Workspace that put the vcluster to sleep, and must wake it. */
function holderOf(
  paused: readonly VClusterWorkload[],
  { workspace, sharedBy }: DeepSleepOptions,
): Workspace | undefined {
  const others = sharedBy.filter(({ metadata }) => metadata.uid !== workspace.metadata.uid)
  return others.find(({ metadata: { uid = '' } }) => paused.some((workload) => isPausedBy(workload, uid)))
}

/** The state of a vcluster that another Workspace put to sleep: it is left alone. */
const heldState = (holder: Workspace, options: DeepSleepOptions): DeepSleep => ({
  state: 'asleep',
  message:
    `vcluster ${nameOf(options)} sleeps with Workspace ${formatKey(keyOf(holder))}, which names it too; ` +
    'wake that one as well',
})

/** Takes the next step to wake the vcluster. One that was paused by hand or by another Workspace is left alone. */
async function wake(workloads: readonly VClusterWorkload[], options: DeepSleepOptions): Promise<DeepSleep> {
  const { uid = '' } = options.workspace.metadata
  const paused = workloads.filter(isWorkloadPaused)
  const pausedByUs = paused.filter((workload) => isPausedBy(workload, uid))
  const holder = holderOf(paused, options)
  if (holder && pausedByUs.length === 0) return heldState(holder, options)
  if (paused.length > 0 && pausedByUs.length === 0)
    return { state: 'asleep', message: `vcluster ${nameOf(options)} was paused by hand; resume it by hand` }
  for (const workload of pausedByUs.reverse()) await resume(workload, options)
  return pausedByUs.length > 0 ? wakingState(options) : awakeOrWaking(workloads, options)
}

/** The state of a vcluster that is not paused. */
function awakeOrWaking(workloads: readonly VClusterWorkload[], options: DeepSleepOptions): DeepSleep {
  return workloads.every(isUp) ? { state: 'awake' } : wakingState(options)
}

const stateOf = (workloads: readonly VClusterWorkload[]): VclusterState =>
  workloads.every((workload) => isUp(workload) && !isWorkloadPaused(workload)) ? 'awake' : 'waking'

const wakingState = (options: DeepSleepOptions): DeepSleep => ({
  state: 'waking',
  message: `vcluster ${nameOf(options)} is not ready`,
})

const nameOf = ({ vcluster }: DeepSleepOptions) => formatKey(vcluster)
