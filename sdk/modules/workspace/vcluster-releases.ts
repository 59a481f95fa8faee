import type { ReleaseReader } from '../../operator/engine/inspection.js'
import type { Workspace } from '../kinds/workspace.js'
import type { ManagedVclusters } from '../managed/managed-vclusters.js'
import type { WorkspaceClusters } from './workspace-clusters.js'

/** Reads the releases of the vclusters of managed Workspaces, for the inspector. */
export function vclusterReleases(managed: ManagedVclusters, running: () => WorkspaceClusters): ReleaseReader {
  return {
    read: async (object) => {
      const { home: cluster, clock } = running()
      return managed.view(object as Workspace, { cluster, clock })
    },
  }
}
