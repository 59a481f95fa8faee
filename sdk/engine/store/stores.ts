import { Observable, Subject, tap } from 'rxjs'
import type { Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { apiVersionOf, formatResource, type Resource } from '../kube/resource.js'
import { type Logger, silentLogger } from '../observe/logger.js'
import { type Metrics, noMetrics } from '../observe/metrics.js'
import { type Clock, systemClock } from '../time/clock.js'
import type { WatchEvent } from '../watch/event.js'
import type { OwnEvents } from '../watch/own-events.js'
import { conformToScope } from '../watch/watch-scope.js'
import { intoStore } from './into-store.js'
import { selectedBy } from './selectors.js'
import type { Change, Store, StoreScope } from './store.js'
import type { StoreEntry } from './store-entry.js'
import { StoreMetrics } from './store-metrics.js'
import { StoreWriter } from './store-writer.js'
import type { Writer } from './writer.js'

/** Opens the watch of one resource; without `namespace` for the whole cluster. */
export type OpenWatch = <T extends KubeObject>(
  resource: Resource<T>,
  scope: StoreScope & { onPage?: (remaining: number | undefined) => void; ownEvents?: OwnEvents },
) => Observable<WatchEvent<T>>

/** Options of {@link Stores}. */
export interface StoresOptions {
  /**
   * Opens the watch that fills a store. It must recover by itself: after an error the store is not updated any more.
   */
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

interface StoresEntry<T extends KubeObject = KubeObject> extends StoreEntry<T> {
  /** The scope of the watch; without `namespace` it covers the whole cluster. */
  readonly scope: StoreScope
  /** Whether the watch selects an object. */
  readonly selects: (object: KubeObject) => boolean
  readonly logger: Logger
  readonly writer: StoreWriter<T>
  readonly changes: Subject<Change<T>>
  /** When the last event of the watch arrived. */
  heardMs: number
  expected: number | undefined
}

/**
 * The stores of one cluster: one store and one watch for each requested kind, shared by all callers. A store that is
 * first requested after {@link start} is watched from then on.
 */
export class Stores {
  readonly #watch: OpenWatch
  readonly #namespace: string | undefined
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #metrics: StoreMetrics
  readonly #onPage: () => void
  readonly #entries = new Map<string, StoresEntry>()
  /** The entries without a scope by their resource, for fast access, because each run requests its stores. */
  readonly #entriesByResource = new WeakMap<Resource, StoresEntry>()
  readonly #byKind = new Map<string, readonly StoresEntry[]>()
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

  /** The time since the last event or, without events, since the creation of each watch, in milliseconds. */
  get quiet(): readonly { resource: Resource; quietMs: number }[] {
    const nowMs = this.#clock.now()
    return [...this.#entries.values()].map(({ resource, heardMs }) => ({
      resource,
      quietMs: nowMs - heardMs,
    }))
  }

  /** The store of a kind, created by the first call; each scope has its own store. */
  store<T extends KubeObject>(resource: Resource<T>, scope?: StoreScope): Store<T> {
    return this.#getEntry(resource, scope).store
  }

  /** Emits each change of a store from now on, after the store has it. Hot: it does not replay what the store holds. */
  changes$<T extends KubeObject>(resource: Resource<T>, scope?: StoreScope): Observable<Change<T>> {
    const { changes } = this.#getEntry(resource, scope)
    // Not `asObservable()`: its `source` is the Subject, by which a subscriber could emit changes.
    return new Observable((subscriber) => changes.subscribe(subscriber))
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

  /**
   * Resolves when every kind requested so far has its first list, or is known not to be served or not to be listable.
   */
  async whenAnswered(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.entries.map(({ store }) => store.whenAnswered(signal)))
  }

  /**
   * Tells the stores that cover an object that a write of it is about to be sent. Call the returned function when the
   * write was answered, after {@link noteWritten}, or has failed.
   */
  beginWrite(resource: Resource, key: Key): () => void {
    const writers = this.#covering(resource, key.namespace).map(({ writer }) => writer)
    for (const writer of writers) writer.beginWrite(key)
    return () => {
      for (const writer of writers) writer.endWrite(key)
    }
  }

  /** Passes an own write to the stores that cover it, and emits the change; see {@link StoreWriter.noteWritten}. */
  noteWritten(resource: Resource, object: KubeObject, by?: Writer, sent?: KubeObject): void {
    for (const { writer, changes, selects, scope } of this.#covering(resource, object.metadata.namespace)) {
      // The watch itself reports that an object is no longer selected.
      if (!selects(object)) continue
      for (const change of writer.noteWritten(conformToScope({ resource, ...scope }, object), by, sent))
        changes.next(change)
    }
  }

  /** Passes an own delete to the stores that cover it; see {@link StoreWriter.noteDeleted}. */
  noteDeleted(resource: Resource, deleted: { key: Key; uid: string | undefined }): void {
    for (const { writer } of this.#covering(resource, deleted.key.namespace)) writer.noteDeleted(deleted)
  }

  #covering(resource: Resource, namespace: string | undefined): StoresEntry[] {
    const ofKind = this.#byKind.get(kindId(resource)) ?? []
    return ofKind.filter((entry) => entry.namespace === undefined || entry.namespace === namespace)
  }

  /** The scope of the watch that fills a store. */
  #scopeOf(resource: Resource, { namespace = this.#namespace, ...scope }: StoreScope): StoreScope {
    return resource.namespaced && namespace ? { ...scope, namespace } : scope
  }

  #getEntry<T extends KubeObject>(resource: Resource<T>, scope?: StoreScope): StoresEntry<T> {
    const knownEntry = scope ? undefined : this.#entriesByResource.get(resource)
    const entry = knownEntry ?? this.#getOrAddEntry(resource, this.#scopeOf(resource, scope ?? {}))
    if (!scope && !knownEntry) this.#entriesByResource.set(resource, entry)
    // One kind has one entry, with the type of its resource.
    return entry as unknown as StoresEntry<T>
  }

  #getOrAddEntry(resource: Resource, scope: StoreScope): StoresEntry {
    const id = entryId(resource, scope)
    return this.#entries.get(id) ?? this.#addEntry(id, resource, scope)
  }

  #addEntry(id: string, resource: Resource, scope: StoreScope): StoresEntry {
    const logger = this.#logger.child({ resource: formatResource(resource) })
    const clock = this.#clock
    const onConfirmed = (tookMs: number) => this.#metrics.confirmed(tookMs)
    const writer = new StoreWriter({ logger, clock, onConfirmed })
    const entry: StoresEntry = {
      resource,
      namespace: scope.namespace,
      scope,
      selects: selectedBy(scope),
      logger,
      writer,
      store: writer.store,
      changes: new Subject(),
      heardMs: this.#clock.now(),
      expected: undefined,
    }
    this.#entries.set(id, entry)
    const ofKind = this.#byKind.get(kindId(resource)) ?? []
    this.#byKind.set(kindId(resource), [...ofKind, entry])
    if (this.#signal) this.#fill(entry, this.#signal)
    return entry
  }

  #fill<T extends KubeObject>(entry: StoresEntry<T>, signal: AbortSignal): void {
    const { resource, scope, store, writer, logger, changes } = entry
    if (signal.aborted) return
    const recordEvent = () => {
      entry.heardMs = this.#clock.now()
    }
    const onPage = (remaining: number | undefined) => {
      entry.expected = remaining === undefined ? undefined : store.size + remaining
      this.#onPage()
    }
    const ownEvents: OwnEvents = {
      get areExpected() {
        return writer.areExpected
      },
      take: (event) => {
        recordEvent()
        return writer.take(event)
      },
      release: () => writer.release(),
    }
    const changes$ = this.#watch(resource, { ...scope, onPage, ownEvents }).pipe(
      tap(recordEvent),
      intoStore(writer),
    )
    const subscription = changes$.subscribe({
      next: (change) => changes.next(change),
      error: (error) => logger.error({ error }, 'the watch ended; the store is no longer updated'),
    })
    signal.addEventListener('abort', () => subscription.unsubscribe(), { once: true })
  }
}

const kindIds = new WeakMap<Resource, string>()

/** The identity of a kind and version: two versions need two stores, because their objects differ in shape. */
function kindId(resource: Resource): string {
  const cached = kindIds.get(resource)
  if (cached !== undefined) return cached
  const id = `${apiVersionOf(resource)} ${resource.plural}`
  kindIds.set(resource, id)
  return id
}

function entryId(resource: Resource, scope: StoreScope): string {
  const { namespace = '', labelSelector = '', fieldSelector = '', metadataOnly = false } = scope
  return JSON.stringify([kindId(resource), namespace, labelSelector, fieldSelector, metadataOnly])
}
