import type { EventView, RecordedSubject, RunEntry, TimelineEntry } from './explanation-view.js'
import type { FactView } from './fact-view.js'
import type { ShardView } from './model.js'
import type { OwnedNode } from './owned-node.js'
import type { PairView } from './pair-model.js'
import type { ReleaseView } from './release-view.js'

/** Everything about one object of a controller. */
export interface ControllerExplanation extends PairView {
  /** The kind of the program that runs the controller. */
  readonly program: 'operator' | 'plugin'
  /** The name of the controller. */
  readonly controller: string
  readonly cluster: string
  readonly apiVersion: string
  /** One sentence. */
  readonly summary: string
  readonly isRunning: boolean
  readonly isWaiting: boolean
  /** See `Explanation.shard`. */
  readonly shard: ShardView | null
  /** The foreign object that has the name of an object that the controller wants; null if none. */
  readonly conflictsWith: string | null
  /** Null if none is remembered. */
  readonly lastRun: RunEntry | null
  /** Everything that the object waits for, in sentences. */
  readonly waitsFor: readonly string[]
  /** Of its status. */
  readonly conditions: readonly ConditionView[]
  /** Reported by the controller. */
  readonly facts: readonly FactView[]
  /** The objects that the controller made for it. */
  readonly owned: readonly OwnedView[]
  /** Everything that belongs to the object, with the health of each part. */
  readonly tree: readonly OwnedNode[]
  /** The Helm release of the object; null if it has none. */
  readonly releaseDetails: ReleaseView | null
  /** Why the release could not be read. */
  readonly releaseError?: string
  /** The object as YAML. */
  readonly yaml: string
  /** Oldest first; entries of owned objects name them. */
  readonly timeline: readonly TimelineEntry[]
  /** The objects whose changes and writes the timeline contains. */
  readonly recorded: readonly RecordedSubject[]
  /** Of the object; the latest last. */
  readonly events: readonly EventView[]
  /** Why the Events are not there. */
  readonly eventsError?: string
}

/** A condition of an object. */
export interface ConditionView {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  /** The time of its last change; null if it does not say. */
  readonly atMs: number | null
}

/** An owned object. */
export interface OwnedView {
  readonly cluster: string
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  /** Why the object is not ready; null if it is ready, or if its kind does not say. */
  readonly problem: string | null
}
