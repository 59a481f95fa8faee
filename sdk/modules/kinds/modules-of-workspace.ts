import { formatKey, type Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Store } from '../../engine/store/store.js'
import { ensureIndex } from '../../operator/owner/ensure-index.js'
import type { Module } from './module.js'

const index = 'modules/workspace'

/** Adds the index of Modules by their Workspace to the cache of Modules. */
export function indexByWorkspace(modules: Store): void {
  ensureIndex(modules as Store<KubeObject>, index, (module) => {
    const { workspace } = (module as Partial<Module>).spec ?? {}
    return workspace ? [formatKey({ namespace: workspace.namespace, name: workspace.name })] : []
  })
}

/** The Modules of a Workspace, found by the index of {@link indexByWorkspace}. */
export function modulesOfWorkspace(modules: Store, workspace: Key): readonly Module[] {
  return modules.byIndex(index, formatKey(workspace)) as readonly KubeObject[] as readonly Module[]
}
