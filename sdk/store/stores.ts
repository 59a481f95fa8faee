import { type Observable, Subject, tap } from 'rxjs'
import type { Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { apiVersionOf, formatResource, type Resource } from '../kube/resource.js'
import { type Logger, silentLogger } from '../observe/logger.js'
import { type Metrics, noMetrics } from '../observe/metrics.js'
import { type Clock, systemClock } from '../time/clock.js'
import type { WatchEvent } from '../watch/event.js'
import { intoStore } from './into-store.js'
import { type Change, Store, type StoreScope } from './store.js'
import type { StoreEntry } from './store-entry.js'
import { StoreMetrics } from './store-metrics.js'

/** Opens the watch of one resource; without `namespace` for the whole cluster. */
export type OpenWatch = <T extends KubeObject>(
  resource: Resource<T>,
  scope: { namespace?: string; onPage?: (remaining: number | undefined) => void },
) => Observable<WatchEvent<T>>

/** Options of {@link Stores}. */
export interface StoresOptions {
  /** Opens the watch that fills a store. It must recover by itself: after an error the store is not updated any more. */
  watch: OpenWatch
  /** The namespace in which namespaced kinds are watched; default the whole cluster. */
  namespace?: string
  /** Default silent. */
  logger?: Logger
  /** Default the machine's clock. */
  clock?: Clock
  /** The label `cluster` of metrics; default none. */
  cluster?: string
  /** Default none. */
  metrics?: Metrics
  /** Called after each page of a list; default none. */
  onPage?: () => void
}

interface Entry<T extends KubeObject = KubeObject> extends StoreEntry<T> {
  readonly logger: Logger
  readonly changes: Subject<Change<T>>
  /** When the last event of the watch arrived. */
  heardMs: number
  expected: number | undefined
}

/**
 * The stores of one cluster: one store and one watch for each requested kind, shared by all callers. A store that is first
 * requested after {@link start} is watched from then on.
 */
export class Stores {
  readonly #watch: OpenWatch
  readonly #namespace: string | undefined
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #metrics: StoreMetrics
  readonly #onPage: () => void
  readonly #entries = new Map<string, Entry>()
  #signal: AbortSignal | undefined

  constructor(options: StoresOptions) {
    const { logger = silentLogger, clock = systemClock, cluster = '', metrics = noMetrics } = options
    this.#watch = options.watch
    this.#onPage = options.onPage ?? (() => {})
    this.#namespace = options.namespace
    this.#logger = logger
    this.#clock = clock
    this.#metrics = new StoreMetrics({ cluster, metrics, entries: () => this.entries })
  }

  /** Every requested kind, with its store. */
  get entries(): readonly StoreEntry[] {
    return [...this.#entries.values()]
  }

  /** The time since the last event of each watch, in milliseconds; for a watch without events since it was created. */
  get quiet(): readonly { resource: Resource; quietMs: number }[] {
    const nowMs = this.#clock.now()
    return [...this.#entries.values()].map(({ resource, heardMs }) => ({
      resource,
      quietMs: nowMs - heardMs,
    }))
  }

  /** The store of a kind, created by the first call; each scope has its own store. */
  store<T extends KubeObject>(resource: Resource<T>, scope?: StoreScope): Store<T> {
    return this.#entry(resource, scope).store
  }

  /** Emits each change of a store from now on, after the store has it. Hot: it does not replay what the store holds. */
  changes$<T extends KubeObject>(resource: Resource<T>, scope?: StoreScope): Observable<Change<T>> {
    return this.#entry(resource, scope).changes.asObservable()
  }

  /** Watches every kind requested so far and later, until the signal aborts. A second call has no effect. */
  start(signal: AbortSignal): void {
    if (this.#signal) return
    this.#signal = signal
    for (const entry of this.#entries.values()) this.#fill(entry, signal)
  }

  /** Resolves when every kind requested so far has its first list; rejects with the signal's reason. */
  async whenSynced(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.entries.map(({ store }) => store.whenSynced(signal)))
  }

  /** Resolves when every kind requested so far has its first list, or is known not to be served. */
  async whenAnswered(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.entries.map(({ store }) => store.whenAnswered(signal)))
  }

  /** Passes an own write to the stores that cover it; see {@link Store.noteWritten}. */
  noteWritten(resource: Resource, object: KubeObject): void {
    for (const { store } of this.#covering(resource, object.metadata.namespace)) store.noteWritten(object)
  }

  /** Passes an own delete to the stores that cover it; see {@link Store.noteDeleted}. */
  noteDeleted(resource: Resource, deleted: { key: Key; uid: string | undefined }): void {
    for (const { store } of this.#covering(resource, deleted.key.namespace)) store.noteDeleted(deleted)
  }

  #covering(resource: Resource, namespace: string | undefined): Entry[] {
    const everywhere = this.#entries.get(entryId(resource, undefined))
    const there = resource.namespaced && this.#entries.get(entryId(resource, namespace))
    return [everywhere, there].filter((entry) => typeof entry === 'object')
  }

  /** The namespace of a scope; `undefined` means all. */
  #namespaceOf(resource: Resource, { namespace = this.#namespace }: StoreScope): string | undefined {
    return resource.namespaced && namespace !== '' ? namespace : undefined
  }

  #entry<T extends KubeObject>(resource: Resource<T>, scope: StoreScope = {}): Entry<T> {
    const namespace = this.#namespaceOf(resource, scope)
    const known = this.#entries.get(entryId(resource, namespace))
    // One kind has one entry, with the type of its resource.
    if (known) return known as unknown as Entry<T>
    const logger = this.#logger.child({ resource: formatResource(resource) })
    const clock = this.#clock
    const entry: Entry<T> = {
      resource,
      namespace,
      logger,
      store: new Store({ logger, clock, onConfirmed: (tookMs) => this.#metrics.confirmed(tookMs) }),
      changes: new Subject(),
      heardMs: this.#clock.now(),
      expected: undefined,
    }
    this.#entries.set(entryId(resource, namespace), entry as unknown as Entry)
    if (this.#signal) this.#fill(entry, this.#signal)
    return entry
  }

  #fill<T extends KubeObject>(entry: Entry<T>, signal: AbortSignal): void {
    const { resource, namespace, store, logger, changes } = entry
    if (signal.aborted) return
    const heard = () => {
      entry.heardMs = this.#clock.now()
    }
    const onPage = (remaining: number | undefined) => {
      entry.expected = remaining === undefined ? undefined : store.size + remaining
      this.#onPage()
    }
    const scope = namespace === undefined ? { onPage } : { namespace, onPage }
    const changes$ = this.#watch(resource, scope).pipe(tap(heard), intoStore(store))
    const filling = changes$.subscribe({
      next: (change) => changes.next(change),
      error: (error) => logger.error({ error }, 'the watch ended; the store is no longer updated'),
    })
    signal.addEventListener('abort', () => filling.unsubscribe(), { once: true })
  }
}

/** Two versions of one kind are two stores: their objects differ in shape. */
function entryId(resource: Resource, namespace: string | undefined): string {
  return `${apiVersionOf(resource)} ${resource.plural} ${namespace ?? ''}`
}
