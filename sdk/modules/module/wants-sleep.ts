import type { Key } from '../../kube/key.js'
import type { Module } from '../kinds/module.js'
import type { Workspace } from '../kinds/workspace.js'
import { vclusterOf } from '../managed/place.js'

/** Whether the vcluster of the Workspace does not serve, so that its Modules have to wait. */
export function isOutOfReach(workspace: Workspace | undefined): boolean {
  if (!workspace || !vclusterOf(workspace)) return false
  return workspace.status?.vcluster !== 'awake'
}

/** Whether a Module should sleep: by its own spec, by that of its Workspace, or while that copies the data of a fork. */
export function wantsSleep(
  { spec }: Pick<Module, 'spec'>,
  workspaces: { get(key: Key): Workspace | undefined },
): boolean {
  const workspace = workspaces.get(spec.workspace)
  const isCopying = workspace?.status?.fork?.phase === 'copying'
  return spec.hibernated || workspace?.spec.hibernated === true || isCopying
}
