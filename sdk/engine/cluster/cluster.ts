import type { Observable } from 'rxjs'
import type { Client } from '../client/client.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import type { Change, Store, StoreScope } from '../store/store.js'
import type { WatchEvent } from '../watch/event.js'
import type { WatchScope } from '../watch/watch-scope.js'

/**
 * One cluster that a program works on: a client, caches and watches.
 *
 * @example
 * ```ts
 * const metadata = { namespace: ctx.targetNamespace, name: 'settings' }
 * const configured = ctx.host.store(configMaps).get(metadata)
 * if (!configured) await ctx.host.client.create(configMaps, { metadata })
 * ```
 */
export interface Cluster<Name extends string = string> {
  /** Names the cluster in logs and metrics; a plugin's two are `virtual` and `host`. */
  readonly name: Name
  /** Sends calls to the API server; writes pass the write gate. */
  readonly client: Client
  /** The namespace that the program is restricted to, on the host the target namespace; undefined for all. */
  readonly namespace?: string | undefined
  /**
   * The cache of a kind, shared by all who ask for it. Ask while registering: a store is filled before the first run.
   * It covers the namespace that the program is restricted to (on the host the target namespace), or all of them,
   * unless `scope` names another.
   */
  store<T extends KubeObject>(resource: Resource<T>, scope?: StoreScope): Store<T>
  /**
   * The changes of that store, from its first list on; the store is already up to date. Hot: subscribe while
   * registering.
   */
  changes$<T extends KubeObject>(resource: Resource<T>, scope?: StoreScope): Observable<Change<T>>
  /**
   * Lists and watches apart from the stores, for as long as there is a subscriber. It resumes by itself and never ends.
   * It works from `init` on.
   */
  watch$<T extends KubeObject>(scope: WatchScope<T>): Observable<WatchEvent<T>>
  /**
   * The kinds that the API server serves under an apiVersion such as `apps/v1`; none if it has no such group or
   * version. Subresources are left out.
   */
  served(apiVersion: string): Promise<readonly Resource[]>
  /** All apiVersions that the API server serves, such as `v1` and `apps/v1`. */
  apiVersions(): Promise<readonly string[]>
  /** The version of the API server, such as `v1.36.3`. */
  version(): Promise<string>
}
