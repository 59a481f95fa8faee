import type { WatchedStore } from '../cluster/watched-store.js'
import type { RegisterContext, Side } from '../context/register-context.js'
import type { ClientHook } from '../hook/client-hook.js'
import type { Key } from '../kube/key.js'
import type { Resource } from '../kube/resource.js'
import type { ProgressView } from '../manager/progress-view.js'
import type { RunningSyncer } from '../syncer/reconcile/run-syncer.js'
import type { LeadershipView, PluginView, ShardView } from './model.js'

/** A plugin as the inspector sees it: everything is read on request. */
export interface Inspected {
  readonly ctx: RegisterContext
  readonly mode: PluginView['mode']
  isRunning(): boolean
  leadership(): LeadershipView
  /** How far the start is; null before it and after it. */
  progress(): ProgressView | null
  /** Those that are at work by now. */
  syncers(): readonly RunningSyncer[]
  hooks(): readonly ClientHook[]
  stores(): readonly WatchedStore<Side>[]
  /** The shard of a key and its replica; null if one replica does all. */
  shardOf(key: Key): ShardView | null
  /** Other names of a resource in the virtual cluster; rejects if the cluster cannot be reached. */
  otherNames(resource: Resource): Promise<readonly string[]>
}
