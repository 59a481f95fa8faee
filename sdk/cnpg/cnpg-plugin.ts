import type { Client } from '../engine/client/client.js'
import type { Pod } from '../engine/kube/builtin.js'
import type { KubeObject } from '../engine/kube/object.js'
import type { Resource } from '../engine/kube/resource.js'
import type { CnpgHookContext } from './context/contexts.js'
import type { BackupHooks } from './hooks/backup-hooks.js'
import type { ClusterHooks } from './hooks/cluster-hooks.js'
import type { MetricsHook, PostgresHook, RestoreJobHook } from './hooks/instance-hooks.js'
import type { ObjectHook, PodHook } from './hooks/object-hook.js'
import type { WalHooks } from './hooks/wal-hooks.js'
import type { PodContainer, SidecarOptions } from './pod/sidecar.js'

/** A plugin for CloudNativePG; see {@link createCnpgPlugin}. */
export interface CnpgPlugin<P = Record<string, string>> {
  /** The name that Clusters use. */
  readonly name: string
  /** The address once it has started, for example `127.0.0.1:9090` or `/plugins/hello.example.org`. */
  readonly address: string | undefined
  /** The port of the admission webhooks once the plugin has started; undefined without them. */
  readonly webhookPort: number | undefined
  /** Adds hooks for Pods. Several hooks run one after the other, on the same draft. */
  pods(hook: PodHook<Pod, P>): this
  /** Adds hooks for another kind that the operator makes, for example Jobs or Services. */
  objects<T extends KubeObject>(resource: Resource<T>, hook: ObjectHook<T, P>): this
  /** Takes the hooks for Clusters. */
  cluster(hooks: ClusterHooks<P>): this
  /** Takes the hooks for Backups. */
  backups(hooks: BackupHooks<P>): this
  /** Takes the archive of the WAL. */
  wal(hooks: WalHooks<P>): this
  /** Takes the hook of restore jobs. */
  restoreJob(hook: RestoreJobHook<P>): this
  /** Takes the hook for the configuration of Postgres. */
  postgres(hook: PostgresHook<P>): this
  /** Takes the metrics of instances. */
  metrics(hook: MetricsHook<P>): this
  /**
   * Adds a sidecar to the Pods of instances, of Jobs, or of both, and declares that the plugin serves there: archive,
   * backups, configuration and metrics are asked in those Pods only, over the socket of the sidecar. Throws
   * `PluginError` `INVALID_REGISTRATION` if the options leave out both.
   */
  sidecar(container: PodContainer, options?: SidecarOptions): this
  /**
   * The client of the cluster, for a plugin that changes objects itself, such as the number of instances. It may do
   * what `permissions` of `createCnpgPlugin` declares. In a hook, do not write the object of the call: the operator
   * holds an older version. Throws `PluginError` `MISSING_PERMISSIONS` or `INVALID_KUBECONFIG`.
   */
  client(): Promise<Client>
  /**
   * Serves the operator until the plugin is stopped. Throws `PluginError` `INVALID_ADDRESS`, `INVALID_CERTIFICATE` or
   * `CANNOT_LISTEN` if it cannot.
   */
  start(): Promise<void>
  /** Refuses new calls, lets running ones finish, removes the socket and closes the ports. */
  stop(): Promise<void>
}

/** The parameters that the hooks of a plugin see. */
export type ParametersOf<T> = T extends CnpgPlugin<infer P> ? P : never
/** The context of the hooks of a plugin, for functions of your own: `CnpgContextOf<typeof plugin>`. */
export type CnpgContextOf<T> = CnpgHookContext<ParametersOf<T>>
