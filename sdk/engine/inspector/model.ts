/**
 * The inspector's JSON: the shapes that its page, the command `why` and other programs read. Points in time
 * are wall-clock milliseconds since 1970, durations milliseconds. It never has the data of a Secret.
 */
import type { RunResult } from '../controller/run-end.js'
import type { Key } from '../kube/key.js'
import type { ProgressView } from '../manager/progress-view.js'

/** Everything of the inspector is below this path. */
export const inspectorPath = '/inspector/'

/** The name of one of the two clusters of a plugin. */
export type ViewedSide = 'virtual' | 'host'

/** The whole program at a glance. The members that its kind of program does not have are empty. */
export interface Overview {
  readonly atMs: number
  readonly plugin: PluginView
  readonly leadership: LeadershipView
  /** How far the start is; null before it and after it. */
  readonly progress: ProgressView | null
  readonly syncers: readonly SyncerView[]
  readonly controllers: readonly ControllerView[]
  readonly watches: readonly WatchView[]
  readonly hooks: readonly HookView[]
  readonly interceptors: readonly InterceptorView[]
  /** The methods that a CloudNativePG plugin serves; none for other programs. */
  readonly methods: readonly MethodView[]
  /** The latest calls of these methods, the latest first. */
  readonly calls: readonly CallView[]
  /** Only from `dev`. */
  readonly dev?: DevView
}

/** The parts of an overview that `dev` adds. */
export interface DevView {
  readonly process: ProcessView
  /** The kubectl command with the kubeconfig, by the name of the cluster. */
  readonly kubectl: Readonly<Record<string, string>>
  /** The address that opens a place of a file in the editor, with `{file}`, `{line}` and `{column}`. */
  readonly editor: string
  /** The folder that relative paths of sources begin in. */
  readonly folder: string
}

/** The process of the program that `dev` runs. */
export interface ProcessView {
  /** `starting` until it answers, `not answering` if it does not after that, for example at a breakpoint. */
  readonly state: 'starting' | 'running' | 'not answering' | 'ended'
  readonly sinceMs: number
  /** The number of the process, or how it ended. */
  readonly text: string
}

/** The program's name, and for a plugin the names of its vcluster and namespaces. */
export interface PluginView {
  readonly name: string
  /** Null for an operator. */
  readonly vclusterName: string | null
  /** Null for an operator. */
  readonly targetNamespace: string | null
  /** The namespace of the plugin; the only one of an operator, or null for all. */
  readonly currentNamespace: string | null
  /** Null for an operator. */
  readonly labelMode: 'hashed' | 'reserved' | null
  readonly mode: 'in-syncer' | 'sidecar' | 'standalone' | 'operator' | 'cnpg'
  /** Of the SDK. */
  readonly version: string
  /** Of Node. */
  readonly node: string
  readonly startedMs: number
  /** Whether every syncer and controller is at work. */
  readonly isRunning: boolean
}

/** Whether the plugin may write. */
export interface LeadershipView {
  readonly state: 'waiting' | 'leading' | 'over'
  /** How long writes may go on without news; null if nothing but the end of the process ends leadership. */
  readonly deadlineInMs: number | null
  /** The shards that are served here, and how many there are; null if one replica does all. */
  readonly shards: { readonly served: readonly number[]; readonly count: number } | null
}

/** The part of the work that a key belongs to, where replicas share it. */
export interface ShardView {
  /** From 0 up to `count`. */
  readonly shard: number
  readonly count: number
  /** Whether this replica serves it. */
  readonly isOurs: boolean
  /** The replica that held its Lease when it was last seen, by the host name of its pod; null if none. */
  readonly holder: string | null
}

/** How much one syncer or controller has to do and how it goes. */
export interface WorkView {
  readonly name: string
  readonly apiVersion: string
  readonly kind: string
  readonly load: {
    readonly waiting: number
    readonly running: number
    readonly delayed: number
    readonly workers: number
  }
  readonly oldestRunMs: number
  /** Runs since the start, by how they ended. */
  readonly runs: Readonly<Partial<Record<RunResult, number>>>
  /** Runs a second, over the last ten seconds. */
  readonly perSecond: number
  /** Over the last five minutes; null if nothing was late because nothing came. */
  readonly lag: { readonly p50Ms: number | null; readonly p99Ms: number | null }
  /** The last five minutes in windows of {@link WorkView.windowMs}, oldest first. */
  readonly windows: readonly WindowView[]
  readonly windowMs: number
  /** The latest first. */
  readonly errors: readonly ErrorView[]
}

/** A syncer. */
export interface SyncerView extends WorkView {
  /** The cluster of the originals; null for a syncer of virtual objects without a counterpart. */
  readonly originals: ViewedSide | null
  readonly objects: { readonly virtual: number; readonly host: number }
}

/** A controller of objects of one cluster. */
export interface ControllerView extends WorkView {
  readonly cluster: string
  readonly objects: number
  /** The kinds of the objects that it makes. */
  readonly owns: readonly KindView[]
  /** Other kinds whose changes trigger it. */
  readonly watches: readonly KindView[]
  /** Whether each of its objects has a Helm release. */
  readonly hasReleases: boolean
}

/** A kind in a cluster. */
export interface KindView {
  readonly cluster: string
  readonly apiVersion: string
  readonly kind: string
}

/** The runs of one time window. */
export interface WindowView {
  readonly startMs: number
  readonly runs: number
  readonly failures: number
  /** The most keys that waited when a run ended. */
  readonly waiting: number
  readonly p50Ms: number | null
  readonly p99Ms: number | null
}

/** An error that runs ended in: the last of them that had the same message from the same place, and how many had. */
export interface ErrorView extends Key {
  readonly atMs: number
  readonly message: string
  /** The first frames of the plugin's own code, innermost first; left out if there are none. */
  readonly frames?: readonly string[]
  readonly times: number
}

/** A method that a CloudNativePG plugin serves. */
export interface MethodView {
  /** Service and method, such as `OperatorLifecycle/LifecycleHook`. */
  readonly name: string
  /** Calls since the start, by gRPC status, and the number of those with the status `OK` that refused an object. */
  readonly calls: Readonly<Record<string, number>>
  readonly refused: number
  /** How long the calls of the last five minutes took; null if there were none. */
  readonly took: { readonly p50Ms: number | null; readonly p99Ms: number | null }
  /** The latest first; the key is that of the Cluster. */
  readonly errors: readonly ErrorView[]
}

/** A call that ended. */
export interface CallView {
  readonly atMs: number
  readonly method: string
  /** The gRPC status. */
  readonly code: string
  readonly durationMs: number
  /** The Cluster that the call is about. */
  readonly cluster: Key | null
  /** The object that the call is about, such as `Pod default/db-1`. */
  readonly object: string | null
  /** The changes of that object, or of the Cluster; null for a method that makes no patches. */
  readonly patch: readonly PatchView[] | null
  /** The fields for which the call refused an object, with the status `OK`; empty if it refused none. */
  readonly refused: readonly string[]
}

/** One operation of a JSON Patch. */
export interface PatchView {
  readonly op: string
  readonly path: string
  /** As JSON, shortened. Data of Secrets, and values of environment variables, are replaced by size and hash. */
  readonly value: string | null
}

/** One kind that is watched in one cluster. */
export interface WatchView {
  /** The name of the cluster; a plugin's are `virtual` and `host`. */
  readonly side: string
  readonly apiVersion: string
  readonly kind: string
  /** Null is all of them. */
  readonly namespace: string | null
  readonly objects: number
  /** Whether the first list is in. */
  readonly synced: boolean
  /** Whether the API server serves the kind. */
  readonly served: boolean
  readonly resourceVersion: string | null
  /** How long it has sent nothing. */
  readonly quietMs: number
  /** How long the stream of now is open; null before the first. */
  readonly ageMs: number | null
  readonly lists: number
  readonly streams: number
  /** The number of restarts by their reason. */
  readonly restarts: Readonly<Record<string, number>>
}

/** The calls of one hook with one hook type. */
export interface HookView {
  readonly name: string
  readonly apiVersion: string
  readonly kind: string
  readonly type: string
  /** Calls by what the hook did: `changed`, `unchanged`, `denied`, `failed` or `timeout`. */
  readonly calls: Readonly<Record<string, number>>
  /** The mean; null before the first call. */
  readonly meanMs: number | null
}

/** The requests of one interceptor. */
export interface InterceptorView {
  readonly name: string
  /** Each rule in words, such as `get, list configmaps`. */
  readonly rules: readonly string[]
  /** Answers by their status. */
  readonly answers: Readonly<Record<string, number>>
  /** Until the answer began, the mean; null before the first request. */
  readonly meanMs: number | null
}
