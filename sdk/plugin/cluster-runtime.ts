import type { Observable } from 'rxjs'
import type { Client } from '../client/client.js'
import { createClient } from '../client/create-client.js'
import type { WriteGate } from '../client/write-gate.js'
import type { Cluster, Side } from '../context/register-context.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import type { Clock } from '../observe/clock.js'
import type { Logger } from '../observe/logger.js'
import type { Metrics } from '../observe/metrics.js'
import type { Store, Touched } from '../store/store.js'
import { Stores } from '../store/stores.js'
import type { Transport } from '../transport/transport.js'
import { watchResource } from '../watch/watch-resource.js'

/** Options of {@link ClusterRuntime}. */
export interface ClusterRuntimeOptions {
  side: Side
  transport: Transport
  gate: WriteGate
  /** Restricts the stores of namespaced kinds to one namespace; default all. */
  namespace?: string
  logger: Logger
  metrics: Metrics
  clock: Clock
}

/** One cluster with everything wired: client, write gate, stores, and the watches that fill them. */
export class ClusterRuntime implements Cluster {
  readonly side: Side
  readonly client: Client
  readonly #stores: Stores

  constructor({ side, transport, gate, namespace, ...observed }: ClusterRuntimeOptions) {
    this.side = side
    this.#stores = new Stores({
      clock: observed.clock,
      watch: (resource) =>
        watchResource({
          transport,
          resource,
          cluster: side,
          ...(resource.namespaced && namespace !== undefined ? { namespace } : {}),
          ...observed,
        }),
    })
    this.client = createClient({ transport, gate, onWrite: (written) => this.#stores.note(written) })
  }

  store<T extends KubeObject>(resource: Resource<T>): Store<T> {
    return this.#stores.store(resource)
  }

  touched$<T extends KubeObject>(resource: Resource<T>): Observable<Touched<T>> {
    return this.#stores.touched$(resource)
  }

  /** Starts the watches of every store asked for, now or later, until the signal aborts. */
  start(signal: AbortSignal): void {
    this.#stores.start(signal)
  }

  /** Resolves when every store holds its first list. */
  whenSynced(signal: AbortSignal): Promise<void> {
    return this.#stores.whenSynced(signal)
  }
}
