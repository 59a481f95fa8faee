import type { RunResult } from '../controller/run-end.js'
import type { ShardView, ViewedSide } from './model.js'
import type { PairView } from './pair-model.js'

/** Something that happened to a key. */
export type TimelineEntry = ChangeEntry | WriteEntry | RunEntry | ProcessEntry

/** The name of an object in the history. */
export interface RecordedSubject {
  readonly subject: string
  /** The name of the object in the timeline; left out for the object of the key, and for its copy. */
  readonly object?: string
}

/** A process of the program started or ended; only `dev` has such entries. */
export interface ProcessEntry {
  readonly what: 'process'
  readonly atMs: number
  readonly verb: 'started' | 'ended'
  /** For `started` the number of the process, for `ended` the reason. */
  readonly text: string
}

/** A field that a write changed. Values are JSON, shortened; null if the field is missing. */
export interface FieldChange {
  readonly path: string
  readonly from: string | null
  readonly to: string | null
}

/** An event of a watch. */
export interface ChangeEntry {
  readonly what: 'change'
  readonly atMs: number
  /** The name of the cluster; a plugin's are `virtual` and `host`. */
  readonly side: string
  /** The object, such as `Deployment default/daily`; left out for the object of the key, and for its copy. */
  readonly object?: string
  readonly verb: 'appeared' | 'changed' | 'gone'
  readonly resourceVersion: string
}

/** The plugin wrote an object, and the API server accepted it. */
export interface WriteEntry {
  readonly what: 'write'
  readonly atMs: number
  readonly side: string
  readonly object?: string
  readonly verb: 'written' | 'deleted'
  readonly resourceVersion: string
  /** The fields that the write changed; left out if the object was not known before. */
  readonly changes?: readonly FieldChange[]
}

/** A run of the key ended. */
export interface RunEntry {
  readonly what: 'run'
  readonly atMs: number
  readonly result: RunResult
  readonly durationMs: number
  readonly lagMs?: number
  readonly nextInMs?: number
  readonly error?: string
}

/** Everything about one object and its counterpart. */
export interface Explanation extends PairView {
  readonly apiVersion: string
  /** The state of the object in one sentence. */
  readonly summary: string
  /** The cluster of the originals; null for a syncer of virtual objects without a counterpart. */
  readonly originals: ViewedSide | null
  readonly isRunning: boolean
  readonly isWaiting: boolean
  /**
   * The shard of the key and its replica; null if one replica does all. The state of the key on another
   * replica is not known here.
   */
  readonly shard: ShardView | null
  /** The name of the foreign object, as `namespace/name`. */
  readonly conflictsWith: string | null
  readonly ownership: OwnershipView
  /**
   * The object that the copy is compared with: the copy that the syncer wants, or the original if the syncer
   * has no `translateUpdate`. Null if there are no two objects to compare.
   */
  readonly comparedWith: 'wanted' | 'original' | null
  /** The fields in which the copy differs from that object, without `status`; at most a hundred. */
  readonly differences: readonly Difference[]
  /** Both objects as YAML, side by side. */
  readonly lines: readonly DiffLine[]
  /** Oldest first. */
  readonly timeline: readonly TimelineEntry[]
  /** The objects whose changes and writes the timeline contains. */
  readonly recorded: readonly RecordedSubject[]
  /** The Events of the virtual object, from the virtual cluster; the latest last. */
  readonly events: readonly EventView[]
  /** Why the Events cannot be shown. */
  readonly eventsError?: string
}

/** Whether the host object provably belongs to the key, and the reasons. */
export interface OwnershipView {
  /** Null if there is no host object, or if the syncer makes no copies. */
  readonly owned: boolean | null
  readonly reasons: readonly string[]
}

/** A field of a copy that has another value than the wanted one. Values are JSON; null if the field is missing. */
export interface Difference {
  readonly path: string
  readonly wanted: string | null
  readonly found: string | null
}

/** A line of both objects side by side; null if one has no such line. */
export interface DiffLine {
  readonly virtual: string | null
  readonly host: string | null
  readonly same: boolean
  /** The sides on which the API server sets the line: a difference there means nothing. Left out for none. */
  readonly serverSet?: 'virtual' | 'host' | 'both'
}

/** An Event, shortened. */
export interface EventView {
  readonly atMs: number
  readonly type: string
  readonly reason: string
  readonly message: string
  readonly count: number
  readonly from: string
}
