// The sleep and the wake of the vcluster of a Workspace, in one run of the Workspace.
import type { Store } from '../../engine/store/store.js'
import type { ControllerContext } from '../../operator/controller/context.js'
import type { Workspace } from '../kinds/workspace.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { vclusterOf } from '../managed/place.js'
import { type DeepSleep, type DeepSleepOptions, keepVcluster, releaseVcluster } from './deep-sleep.js'
import { workspacesOf } from './watched-vclusters.js'
import { modulesIn, type WorkspaceClusters } from './workspace-clusters.js'
import { countModules } from './workspace-modules.js'

/** A run of a Workspace. */
interface WorkspaceRun {
  readonly ctx: ControllerContext<Workspace>
  readonly workspace: Workspace
  readonly clusters: WorkspaceClusters
}

/** Brings the vcluster of a Workspace into the wanted state; undefined if the Workspace has none. */
export async function keepVclusterOf(run: WorkspaceRun, wantsSleep: boolean): Promise<DeepSleep | undefined> {
  const options = optionsOf(run, wantsSleep)
  if (!options) return undefined
  const sleepState = await keepVcluster(options)
  if (!sleepState.isWokenByHand) return sleepState
  const { ctx, workspace } = run
  const { uid, resourceVersion } = workspace.metadata
  const body = { metadata: { uid, resourceVersion }, spec: { hibernated: false } }
  await ctx.client.patch(workspaces, ctx.key, { type: 'merge', body })
  ctx.events.normal('WokenByHand', 'the vcluster was resumed by hand; the Workspace wakes with it')
  return { ...sleepState, requeuesAtOnce: true }
}

/** Wakes the vcluster of a Workspace that is being deleted, unless it has none or that does not exist. */
export async function releaseVclusterOf(run: WorkspaceRun): Promise<DeepSleep | undefined> {
  const options = optionsOf(run, false)
  return options && releaseVcluster(options)
}

function optionsOf(
  { ctx, workspace, clusters }: WorkspaceRun,
  wantsSleep: boolean,
): DeepSleepOptions | undefined {
  const vcluster = vclusterOf(workspace)
  if (!vcluster) return undefined
  const { total, sleeped } = countModules(modulesIn(clusters, ctx.key)).modules
  const { client, signal, clock } = ctx
  const sharedBy = workspacesOf(clusters.home.store(workspaces) as unknown as Store, vcluster)
  const areModulesAsleep = total === sleeped
  return { client, signal, workspace, vcluster, sharedBy, wantsSleep, areModulesAsleep, now: clock.date() }
}
