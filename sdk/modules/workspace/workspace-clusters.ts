// The clusters of an operator, as the controller of Workspaces uses them.
import type { Client } from '../../engine/client/client.js'
import type { Cluster } from '../../engine/cluster/cluster.js'
import type { Key } from '../../engine/kube/key.js'
import type { Store } from '../../engine/store/store.js'
import type { Clock } from '../../engine/time/clock.js'
import type { ControllerContext } from '../../operator/controller/context.js'
import type { Module } from '../kinds/module.js'
import { modules } from '../kinds/module-kind.js'
import { modulesOfWorkspace } from '../kinds/modules-of-workspace.js'
import type { Workspace } from '../kinds/workspace.js'
import { type ConnectionOptions, clusterOfWorkspace, knownClusters } from '../module/connection/connection.js'
import { isKubeconfigCluster, type KubeconfigClusters } from '../module/connection/kubeconfig-clusters.js'

/** The clusters of a running operator. */
export interface WorkspaceClusters {
  /** The cluster that holds the Workspaces. */
  readonly home: Cluster
  readonly names: readonly string[]
  readonly clock: Clock
}

/** The Modules of a Workspace. */
export const modulesIn = ({ home }: WorkspaceClusters, workspace: Key): readonly Module[] =>
  modulesOfWorkspace(home.store(modules) as unknown as Store, workspace)

/**
 * The cluster that the Modules of a Workspace are in, and a client of it: the home cluster, another cluster of the
 * operator, or the cluster of a kubeconfig.
 */
export async function clusterOf(
  workspace: Workspace,
  run: {
    readonly ctx: ControllerContext<Workspace>
    readonly clusters: WorkspaceClusters
    readonly kubeconfigs: KubeconfigClusters
    readonly options: ConnectionOptions
  },
): Promise<{ readonly client: Client; readonly name: string }> {
  const { ctx, clusters, kubeconfigs, options } = run
  const home = clusters.home.name
  const name = clusterOfWorkspace(workspace, knownClusters(options, { home, names: clusters.names }))
  if (name === home) return { client: ctx.client, name }
  if (isKubeconfigCluster(name)) return { client: (await kubeconfigs.open(workspace, ctx)).client, name }
  return { client: ctx.cluster(name).client, name }
}
