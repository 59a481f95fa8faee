import { filter, merge } from 'rxjs'
import type { Cluster } from '../../../engine/cluster/cluster.js'
import { formatKey, keyOf } from '../../../engine/kube/key.js'
import type { Module } from '../../kinds/module.js'
import { modules } from '../../kinds/module-kind.js'
import { workspaces } from '../../kinds/workspace-kind.js'

/** Calls `callback` when a Module or its Workspace changes. Returns a function that stops this. */
export function followModule(cluster: Cluster, module: Module, callback: () => void): () => void {
  const [moduleKey, workspaceKey] = [formatKey(keyOf(module)), formatKey(module.spec.workspace)]
  const changes$ = merge(
    cluster.changes$(modules).pipe(filter(({ key }) => formatKey(key) === moduleKey)),
    cluster.changes$(workspaces).pipe(filter(({ key }) => formatKey(key) === workspaceKey)),
  )
  const subscription = changes$.subscribe(callback)
  return () => subscription.unsubscribe()
}
