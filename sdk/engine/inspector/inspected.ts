import type { WatchedStore } from '../cluster/watched-store.js'
import type { Key } from '../kube/key.js'
import type { Resource } from '../kube/resource.js'
import type { ProgressView } from '../manager/progress-view.js'
import type { Clock } from '../time/clock.js'
import type { InspectorView } from './inspector-view.js'
import type { LeadershipView, PluginView, ShardView } from './model.js'

/** The constant facts about a program; those that its kind of program does not have are left out. */
export type InspectedFacts = Pick<PluginView, 'name' | 'mode'> &
  Partial<Pick<PluginView, 'vclusterName' | 'targetNamespace' | 'currentNamespace' | 'labelMode'>>

/** A program as the inspector sees it: everything is read on request. */
export interface InspectableProgram {
  readonly clock: Clock
  readonly facts: InspectedFacts
  /** The things that it consists of, in the order in which they are shown. Each kind of program has its own. */
  readonly views: readonly InspectorView[]
  isRunning(): boolean
  /** Left out by a program that has no clusters and no leader. */
  readonly work?: InspectedWork
}

/** The work that a manager distributes over replicas, and what it reads from its clusters. */
export interface InspectedWork {
  leadership(): LeadershipView
  /** How far the start is; null before it and after it. */
  progress(): ProgressView | null
  stores(): readonly WatchedStore[]
  /** The shard of a key and its replica; null if one replica does all. */
  shardOf(key: Key): ShardView | null
  /** Other names of a resource in the cluster of users; rejects if the cluster cannot be reached. */
  otherNames(resource: Resource): Promise<readonly string[]>
}
