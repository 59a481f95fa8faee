import type { Key } from '../../../engine/kube/key.js'
import type { Module } from '../../kinds/module.js'
import type { Workspace, WorkspaceStatus } from '../../kinds/workspace.js'
import { vclusterOf } from '../../managed/place.js'

/**
 * Whether the vcluster of the Workspace does not serve, so that its Modules have to wait. They do not wait for a
 * vcluster that does not exist: the status of a Workspace that is being deleted has no state of it.
 */
export function isOutOfReach(workspace: Workspace | undefined): boolean {
  if (!workspace || !vclusterOf(workspace)) return false
  const { metadata, status } = workspace
  if (metadata.deletionTimestamp !== undefined && status?.vcluster === undefined) return false
  return status?.vcluster !== 'awake'
}

/**
 * Whether Modules can be installed in a Workspace. One whose data is copied is not ready, but its Modules are installed
 * before that.
 */
export function takesModules(workspace: Workspace | undefined): boolean {
  const { ready, phase } = workspace?.status ?? {}
  return ready === true || (phase === 'installing' && isCopyingData(workspace?.status))
}

/** Whether a Workspace is a fork whose data is copied. */
export const isCopyingData = (status: Partial<Pick<WorkspaceStatus, 'fork'>> | undefined): boolean =>
  status?.fork?.phase === 'copying'

/**
 * Whether a Module should sleep: by its own spec, by that of its Workspace, or while that copies the data of a fork.
 */
export function wantsSleep(
  { spec }: Pick<Module, 'spec'>,
  workspaces: { get(key: Key): Workspace | undefined },
): boolean {
  const workspace = workspaces.get(spec.workspace)
  return spec.hibernated || workspace?.spec.hibernated === true || isCopyingData(workspace?.status)
}
