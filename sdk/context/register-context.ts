import type { Observable } from 'rxjs'
import type { ZodType } from 'zod'
import type { Client } from '../client/client.js'
import type { KubeObject, OwnerReference } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import type { Logger } from '../observe/logger.js'
import type { Metrics } from '../observe/metrics.js'
import type { Change, Store, StoreScope } from '../store/store.js'
import type { Clock } from '../time/clock.js'
import type { WatchEvent } from '../watch/event.js'
import type { WatchScope } from '../watch/watch-scope.js'

/** Which of the two clusters. */
export type Side = 'virtual' | 'host'

/**
 * How label keys are written on the host: `hashed` rewrites every key (vcluster up to 0.20), `reserved` only
 * the keys vcluster itself uses (from 0.21).
 */
export type LabelMode = 'hashed' | 'reserved'

/** One of the two clusters, as a plugin sees it. */
export interface Cluster {
  readonly side: Side
  /** Talks to the API server itself; writes pass the write gate. */
  readonly client: Client
  /**
   * The last known state of a kind, shared by all who ask. Ask while registering: a store is filled before
   * the first run of any syncer. On the host it covers the target namespace (or the cluster for a
   * cluster-scoped kind), unless `scope` names another.
   */
  store<T extends KubeObject>(resource: Resource<T>, scope?: StoreScope): Store<T>
  /** Emits each change of that store, from its first list on, after the store has it. Hot: subscribe while registering. */
  changes$<T extends KubeObject>(resource: Resource<T>, scope?: StoreScope): Observable<Change<T>>
  /**
   * Lists and watches apart from the stores, for as long as someone is subscribed: it heals itself and never ends.
   * It works from `init` on.
   */
  watch$<T extends KubeObject>(scope: WatchScope<T>): Observable<WatchEvent<T>>
  /**
   * The kinds that the API server serves under an apiVersion such as `apps/v1`; none where it knows no such group or
   * version. Subresources are left out.
   */
  served(apiVersion: string): Promise<readonly Resource[]>
}

/** What a plugin is told before it runs: handed to the constructors of syncers and to their start-up capabilities. */
export interface RegisterContext {
  /** The plugin's name, as the vcluster knows it. */
  readonly pluginName: string
  /** The vcluster's name: part of every host name and label. */
  readonly vclusterName: string
  /** The host namespace that copies are written to. */
  readonly targetNamespace: string
  /** The host namespace the vcluster itself runs in. */
  readonly currentNamespace: string
  readonly labelMode: LabelMode
  readonly virtual: Cluster
  readonly host: Cluster
  /**
   * The plugin's configuration, from the vcluster's values (`plugins.<name>.config`, `PLUGIN_CONFIG` in the environment),
   * checked by a zod schema; `{}` where there is none. A sidecar is not told it by vcluster: set the variable there.
   * Throws `PluginError` with code `INVALID_CONFIG` that names each member that does not match the schema.
   */
  config<T>(schema: ZodType<T>): T
  /**
   * Owner of new copies: the vcluster's Service, once the plugin leads and if that Service exists. Throws while
   * a Service that was there is gone: leave that to the run, and its key waits until the Service is back.
   */
  owner(): OwnerReference | undefined
  readonly logger: Logger
  readonly metrics: Metrics
  readonly clock: Clock
}
