import { merge, type Observable } from 'rxjs'
import type { Client } from '../../engine/client/client.js'
import type { Cluster } from '../../engine/cluster/cluster.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import { JoinedStore } from '../../engine/store/joined-store.js'
import type { Change, Store, StoreScope } from '../../engine/store/store.js'
import type { Clock } from '../../engine/time/clock.js'
import type { WatchEvent } from '../../engine/watch/event.js'
import type { WatchScope } from '../../engine/watch/watch-scope.js'
import { EndedNamespaces } from './ended-namespaces.js'
import { NamespaceStore } from './namespace-store.js'
import { type KindScope, storeScopes } from './scope.js'

/** Options of {@link ScopedCluster}. */
export interface ScopedClusterOptions {
  /** The scopes of the declared kinds, by `formatResource`. */
  scopes: ReadonlyMap<string, KindScope>
  /** The scope of all other kinds. */
  others: KindScope
  /** Ends with the program. */
  stop: AbortSignal
  clock: Clock
}

/** A cluster as one controller sees it: the stores of a kind hold the objects that the controller declared. */
export class ScopedCluster implements Cluster {
  readonly name: string
  readonly #cluster: Cluster
  readonly #options: ScopedClusterOptions
  readonly #ended: EndedNamespaces

  constructor(cluster: Cluster, options: ScopedClusterOptions) {
    this.name = cluster.name
    this.#cluster = cluster
    this.#options = options
    this.#ended = new EndedNamespaces({ ...options, client: cluster.client })
  }

  get client(): Client {
    return this.#cluster.client
  }

  get namespace(): string | undefined {
    return this.#cluster.namespace
  }

  store<T extends KubeObject>(resource: Resource<T>): Store<T> {
    const scopes = this.#scopesOf(resource)
    const parts = scopes.map((scope) => [scope.namespace ?? '', this.#storeOf(resource, scope)] as const)
    const [[, only] = [], ...others] = parts
    return only && others.length === 0 ? only : new JoinedStore(new Map(parts))
  }

  /** The store of one scope. That of a namespace also counts as filled when the namespace ends. */
  #storeOf<T extends KubeObject>(resource: Resource<T>, scope: StoreScope): Store<T> {
    const store = this.#cluster.store(resource, scope)
    const namespace = scope.namespace ?? (resource.namespaced ? this.#cluster.namespace : undefined)
    if (namespace === undefined) return store
    this.#ended.checkWhileForbidden(namespace, store)
    return new NamespaceStore(store, namespace, this.#ended)
  }

  changes$<T extends KubeObject>(resource: Resource<T>): Observable<Change<T>> {
    return merge(...this.#scopesOf(resource).map((scope) => this.#cluster.changes$(resource, scope)))
  }

  watch$<T extends KubeObject>(scope: WatchScope<T>): Observable<WatchEvent<T>> {
    return this.#cluster.watch$(scope)
  }

  served(apiVersion: string): Promise<readonly Resource[]> {
    return this.#cluster.served(apiVersion)
  }

  apiVersions(): Promise<readonly string[]> {
    return this.#cluster.apiVersions()
  }

  version(): Promise<string> {
    return this.#cluster.version()
  }

  /** The scopes of a kind's stores: one for each namespace. */
  #scopesOf(resource: Pick<Resource, 'group' | 'version' | 'plural' | 'namespaced'>): readonly StoreScope[] {
    const { scopes, others } = this.#options
    return storeScopes(scopes.get(formatResource(resource as Resource)) ?? others, resource.namespaced)
  }
}
