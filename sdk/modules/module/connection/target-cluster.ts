import type { Client } from '../../../engine/client/client.js'
import { PermanentError } from '../../../engine/kube/error.js'
import type { ControllerContext } from '../../../operator/controller/context.js'
import type { Module } from '../../kinds/module.js'
import type { Workspace } from '../../kinds/workspace.js'
import { workspaces } from '../../kinds/workspace-kind.js'
import { checkWorkspaceAccess, clusterOfWorkspace, isHostOfTenants } from './connection.js'
import { type HomeCalls, isKubeconfigCluster, type ManagerCluster } from './kubeconfig-clusters.js'
import type { ModuleEnvironment } from './module-environment.js'

/** A run of a Module. */
export interface ModuleOfRun {
  readonly ctx: ControllerContext<Module>
  readonly module: Module
  readonly environment: ModuleEnvironment
}

/** A Module, and the clients of the clusters of the operator. */
export interface ModuleOfClients extends Omit<ModuleOfRun, 'ctx'> {
  readonly ctx: HomeCalls & { cluster(name: string): { readonly client: Client } }
}

/** Whether a Module is in a cluster whose kubeconfig was deleted with its Workspace. */
export function isLost(name: string | undefined, { module, environment }: ModuleOfRun): boolean {
  return isKubeconfigCluster(name) && workspaceOf(module, environment) === undefined
}

/** The present cluster of the Workspace; the cluster that holds the Modules if the Workspace was deleted. */
export function workspaceCluster({ module, environment }: Omit<ModuleOfRun, 'ctx'>): string {
  const workspace = workspaceOf(module, environment)
  const { connections } = environment
  if (!workspace) return connections.home
  const name = clusterOfWorkspace(workspace, connections)
  if (isKubeconfigCluster(name)) checkWorkspaceAccess(module, workspace, connections.references)
  return name
}

/**
 * The cluster that a Module is installed in, by the name in its frozen definition. Users can change that name, so it
 * must be the cluster of the Workspace.
 */
export async function targetCluster(name: string | undefined, run: ModuleOfClients): Promise<ManagerCluster> {
  const { ctx, module, environment } = run
  const home = environment.cluster
  if (name === undefined || name === home.name) return { cluster: home, client: ctx.client }
  if (isKubeconfigCluster(name)) {
    const workspace = workspaceOf(module, environment)
    if (!workspace)
      throw new PermanentError(
        `the Workspace with the kubeconfig of the Module does not exist; create it again`,
      )
    if (workspaceCluster(run) === name) return environment.kubeconfigs.open(workspace, ctx)
    throw new PermanentError(
      `the Module is installed in the cluster ${name}, which is not that of its Workspace; create the Module again`,
    )
  }
  if (isHostOfTenants(name, home.name))
    throw new PermanentError('a Module of a virtual cluster is not installed on its host')
  const cluster = environment.clusters.find((candidate) => candidate.name === name)
  if (cluster) return { cluster, client: ctx.cluster(name).client }
  throw new PermanentError(
    `the Module is installed in the cluster ${name}, which this operator does not have`,
  )
}

function workspaceOf({ spec }: Module, { cluster }: ModuleEnvironment): Workspace | undefined {
  return cluster.store(workspaces).get(spec.workspace)
}
