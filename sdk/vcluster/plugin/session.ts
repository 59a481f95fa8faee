import type { Leadership } from '../../engine/leader/leadership.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Metrics } from '../../engine/observe/metrics.js'
import type { Clock } from '../../engine/time/clock.js'
import type { Transport } from '../../engine/transport/transport.js'
import type { LabelMode } from '../context/register-context.js'
import type { HookChain } from '../hook/hook-chain.js'
import type { Interceptors } from '../hook/interceptors.js'

/** How a standalone process waits for leadership: with full stores, or with none. */
export type StandbyMode = 'warm' | 'cold'

/** The plugin's name, and the names of its vcluster and namespaces. */
export interface SessionFacts {
  pluginName: string
  vclusterName: string
  /** The host namespace that copies are written to. */
  targetNamespace: string
  /** The host namespace the vcluster itself runs in. */
  currentNamespace: string
  labelMode: LabelMode
  /** The Service in the target namespace that owns new copies; undefined when copies have no owner. */
  ownerService: string | undefined
}

/**
 * The result of a mode's start: both clusters and the way to leadership. The modes differ in how they open a
 * session; everything after it is the same.
 */
export interface Session {
  readonly facts: SessionFacts
  readonly virtual: Transport
  readonly host: Transport
  /** Set if the plugin's permissions in both clusters are to be checked at the start. */
  readonly asksPermissions?: true
  /**
   * Whether the stores fill while the plugin waits for leadership, so that taking over needs no list; default false.
   */
  readonly isWarm?: boolean
  /** Whether replicas share the work; default false. */
  readonly isShared?: boolean
  /** Reports to a waiting vcluster process that the plugin is ready, with the hooks and interceptors. */
  announce(options: AnnounceOptions): Promise<void>
  /** Seeks leadership from now on, until it is released. */
  lead(): Leadership
  /** Closes the connections, also those to the vcluster process, which gets the reason if it still waits. */
  close(reason?: unknown): Promise<void>
}

/** Options of {@link Session.announce}. */
export interface AnnounceOptions {
  hooks: HookChain
  interceptors: Interceptors
  /** Ends the attempts. */
  signal: AbortSignal
}

/** Options for opening a session. */
export interface OpenSessionOptions {
  env: Readonly<Record<string, string | undefined>>
  /** The plugin's name, if the environment does not contain it. */
  name?: string
  /** Overrides the label mode that the vcluster reports. */
  labelMode?: LabelMode
  /** The number of shards over which replicas share the work, overriding the environment; standalone only. */
  shards?: number
  /** Overrides the standby mode from the environment; standalone only. */
  standby?: StandbyMode
  logger: Logger
  metrics: Metrics
  clock: Clock
  /** Aborts waiting for the vcluster process. */
  signal: AbortSignal
}

/** Opens a session; waits as long as necessary for the other side. */
export type OpenSession = (options: OpenSessionOptions) => Promise<Session>
