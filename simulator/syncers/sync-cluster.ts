import type { AcceptedWrite, Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { createEventRecorder } from '../../sdk/engine/client/event-recorder.js'
import type { EventRecorder } from '../../sdk/engine/observe/event-recorder.js'
import type { Logger } from '../../sdk/engine/observe/logger.js'
import { Stores } from '../../sdk/engine/store/stores.js'
import type { Clock } from '../../sdk/engine/time/clock.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { watchResource } from '../../sdk/engine/watch/watch-resource.js'

/** One of a vcluster's two clusters. */
export type Side = 'virtual' | 'host'

/** One value for each cluster. */
export type OfBoth<V> = Readonly<Record<Side, V>>

/** Options of {@link SyncCluster}. */
export interface SyncClusterOptions {
  side: Side
  transport: Transport
  /** The only namespace that is watched; default all. */
  namespace?: string
  logger: Logger
  clock: Clock
}

/** One of the two clusters for the simulated syncers: a client, and stores that watches fill. */
export class SyncCluster {
  readonly client: Client
  readonly stores: Stores
  readonly #options: SyncClusterOptions
  readonly #closed = new AbortController()

  constructor(options: SyncClusterOptions) {
    this.#options = options
    const { side: cluster, transport, namespace, logger, clock } = options
    const observed = { cluster, logger: logger.child({ cluster }), clock }
    this.stores = new Stores({
      ...observed,
      ...(namespace !== undefined && { namespace }),
      watch: (resource, scope) => watchResource({ resource, transport, ...scope, ...observed }),
    })
    this.client = createClient({
      transport,
      onWrite: (written) => this.#note(written),
      onSend: (resource, key) => this.stores.beginWrite(resource, key),
    })
  }

  /** Records Events in this cluster. */
  eventsOf(component: string): EventRecorder {
    const { logger, clock } = this.#options
    const stop = this.#closed.signal
    return createEventRecorder({ client: this.client, component, logger, clock, stop })
  }

  close(): Promise<void> {
    this.#closed.abort()
    return this.#options.transport.close()
  }

  /** The syncers read their own writes before the watch reports them. */
  #note(written: AcceptedWrite): void {
    if (written.deleted) this.stores.noteDeleted(written.resource, written)
    else this.stores.noteWritten(written.resource, written.object)
  }
}
