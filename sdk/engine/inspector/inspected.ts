import type { RegisterContext } from '../../vcluster/context/register-context.js'
import type { ClientHook } from '../../vcluster/hook/client-hook.js'
import type { Interceptor } from '../../vcluster/hook/interceptor.js'
import type { RunningSyncer } from '../../vcluster/syncer/reconcile/run-syncer.js'
import type { WatchedStore } from '../cluster/watched-store.js'
import type { Key } from '../kube/key.js'
import type { Resource } from '../kube/resource.js'
import type { ProgressView } from '../manager/progress-view.js'
import type { Clock } from '../time/clock.js'
import type { CallRecorder } from './call-recorder.js'
import type { InspectedController } from './inspected-controller.js'
import type { LeadershipView, PluginView, ShardView } from './model.js'

/** The constant facts about a program. */
export type ProgramFacts = Pick<
  PluginView,
  'name' | 'mode' | 'vclusterName' | 'targetNamespace' | 'currentNamespace' | 'labelMode'
>

/** A syncer that runs, with the clusters of its plugin. */
export interface InspectedSyncer {
  readonly running: RunningSyncer
  readonly ctx: RegisterContext
}

/** A plugin or an operator as the inspector sees it: everything is read on request. */
export interface Inspected {
  readonly clock: Clock
  readonly facts: ProgramFacts
  isRunning(): boolean
  leadership(): LeadershipView
  /** How far the start is; null before it and after it. */
  progress(): ProgressView | null
  /** Those that are at work by now. */
  syncers(): readonly InspectedSyncer[]
  /** Those that are at work by now. */
  controllers(): readonly InspectedController[]
  hooks(): readonly ClientHook[]
  interceptors(): readonly Interceptor[]
  stores(): readonly WatchedStore[]
  /** The calls of the methods that the program serves, if it serves any. */
  readonly calls?: CallRecorder
  /** The shard of a key and its replica; null if one replica does all. */
  shardOf(key: Key): ShardView | null
  /** Other names of a resource in the cluster of users; rejects if the cluster cannot be reached. */
  otherNames(resource: Resource): Promise<readonly string[]>
}
