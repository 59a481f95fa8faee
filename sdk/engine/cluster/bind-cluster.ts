import type { Observable } from 'rxjs'
import type { Client } from '../client/client.js'
import { bindClient, type ClientBounds } from '../client/create-client.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import type { Change, Store, StoreScope } from '../store/store.js'
import type { WatchEvent } from '../watch/event.js'
import type { WatchScope } from '../watch/watch-scope.js'
import type { Cluster } from './cluster.js'

/** The same cluster with a client that is bound to one run; see {@link bindClient}. Caches and watches are shared. */
export function bindCluster<Name extends string>(
  cluster: Cluster<Name>,
  bounds: ClientBounds,
): Cluster<Name> {
  return new BoundCluster(cluster, bounds)
}

class BoundCluster<Name extends string> implements Cluster<Name> {
  readonly name: Name
  readonly #cluster: Cluster<Name>
  readonly #bounds: ClientBounds
  #client: Client | undefined

  constructor(cluster: Cluster<Name>, bounds: ClientBounds) {
    this.name = cluster.name
    this.#cluster = cluster
    this.#bounds = bounds
  }

  /** Made when it is first needed, because most runs of an idle cluster make no call. */
  get client(): Client {
    this.#client ??= bindClient(this.#cluster.client, this.#bounds)
    return this.#client
  }

  get namespace(): string | undefined {
    return this.#cluster.namespace
  }

  store<T extends KubeObject>(resource: Resource<T>, scope?: StoreScope): Store<T> {
    return this.#cluster.store(resource, scope)
  }

  changes$<T extends KubeObject>(resource: Resource<T>, scope?: StoreScope): Observable<Change<T>> {
    return this.#cluster.changes$(resource, scope)
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
}
