import { filter, firstValueFrom, fromEvent, map, type Observable, takeUntil } from 'rxjs'
import { CircuitBreaker, type OriginOf, originByNamespace } from '../client/circuit-breaker.js'
import type { AcceptedWrite, Client } from '../client/client.js'
import { createClient } from '../client/create-client.js'
import { discoverKinds, discoverOtherNames } from '../client/discover-kinds.js'
import { discoverApiVersions, discoverVersion } from '../client/discover-server.js'
import { tracedTransport } from '../client/traced-transport.js'
import type { WriteGate } from '../client/write-gate.js'
import { customResourceDefinitions } from '../kube/builtin.js'
import { type Key, keyOf } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import type { Logger } from '../observe/logger.js'
import type { MemoryGuard } from '../observe/memory-guard.js'
import type { Metrics } from '../observe/metrics.js'
import { processTracing } from '../observe/tracing.js'
import type { Change, Store, StoreScope } from '../store/store.js'
import type { StoreEntry } from '../store/store-entry.js'
import { storedObject } from '../store/stored-object.js'
import { Stores } from '../store/stores.js'
import type { Clock } from '../time/clock.js'
import type { Transport } from '../transport/transport.js'
import type { AppliedFields } from '../watch/applied-fields.js'
import type { WatchEvent } from '../watch/event.js'
import { OutageLog } from '../watch/outage-log.js'
import { RestoreDetector } from '../watch/restore-detector.js'
import { watchResource } from '../watch/watch-resource.js'
import type { WatchResourceOptions } from '../watch/watch-resource-options.js'
import type { WatchScope } from '../watch/watch-scope.js'
import type { Cluster } from './cluster.js'
import { definitionName, isCustom, isEstablished } from './definition.js'
import type { WatchedStore } from './watched-store.js'

/** Options of {@link ClusterRuntime}. */
export interface ClusterRuntimeOptions<Name extends string = string> {
  /** See {@link Cluster.name}. */
  name: Name
  transport: Transport
  gate: WriteGate
  /** Restricts the stores of namespaced kinds to one namespace; default all. */
  namespace?: string
  logger: Logger
  metrics: Metrics
  clock: Clock
  /** Objects are left out of the stores while memory is short; default never. */
  memory?: MemoryGuard
  /** Notes who applied which fields of listed objects; default nothing is noted. */
  appliedFields?: AppliedFields
  /** Makes the function that names the origin of a write, from the stores of the cluster; default by namespace. */
  originOf?: (stores: () => readonly StoreEntry[]) => OriginOf
  /** Called after each write that the API server accepted, with the object that the cache had before it. */
  onWritten?: (cluster: Name, written: AcceptedWrite, before: KubeObject | undefined) => void
  /** Called after each page of a store's list. */
  onPage?: () => void
}

/** One cluster with everything wired: client, write gate, stores, and the watches that fill them. */
export class ClusterRuntime<Name extends string = string> implements Cluster<Name> {
  readonly name: Name
  readonly client: Client
  readonly namespace: string | undefined
  /** Shared by all watches of the cluster. */
  readonly restores: RestoreDetector
  readonly #outages: OutageLog
  readonly #stores: Stores
  readonly #transport: Transport
  readonly #observed: Pick<ClusterRuntimeOptions, 'logger' | 'metrics' | 'clock' | 'memory' | 'appliedFields'>

  constructor(options: ClusterRuntimeOptions<Name>) {
    const { name, transport: given, gate, namespace, originOf, onWritten, onPage, ...observed } = options
    const tracing = processTracing()
    const transport = tracing ? tracedTransport(given, name, tracing) : given
    this.name = name
    this.#transport = transport
    this.#observed = observed
    this.namespace = namespace
    this.restores = new RestoreDetector({ transport, cluster: name, ...observed })
    this.#outages = new OutageLog({ cluster: name, ...observed })
    this.#stores = new Stores({
      logger: observed.logger.child({ cluster: name }),
      clock: observed.clock,
      cluster: name,
      metrics: observed.metrics,
      ...(namespace !== undefined && { namespace }),
      ...(onPage && { onPage }),
      watch: (resource, scope) => this.watch$({ resource, ...scope }),
    })
    const origin = originOf?.(() => this.#stores.entries) ?? originByNamespace
    const breaker = new CircuitBreaker({ cluster: name, originOf: origin, ...observed })
    const onWrite = (written: AcceptedWrite) => {
      const before = onWritten && storedObject(this.#stores.entries, written.resource, keyOfWritten(written))
      this.#note(written)
      onWritten?.(name, written, before)
    }
    const onSend = (resource: Resource, key: Key) => this.#stores.beginWrite(resource, key)
    this.client = createClient({ cluster: name, transport, gate, breaker, onWrite, onSend })
  }

  store<T extends KubeObject>(resource: Resource<T>, scope?: StoreScope): Store<T> {
    return this.#stores.store(resource, scope)
  }

  changes$<T extends KubeObject>(resource: Resource<T>, scope?: StoreScope): Observable<Change<T>> {
    return this.#stores.changes$(resource, scope)
  }

  watch$<T extends KubeObject>(
    scope: WatchScope<T> & Pick<WatchResourceOptions, 'onPage' | 'ownEvents'>,
  ): Observable<WatchEvent<T>> {
    const { resource } = scope
    const whenServed = (signal: AbortSignal) => this.#whenDefined(resource, signal)
    return watchResource({
      ...scope,
      transport: this.#transport,
      cluster: this.name,
      restores: this.restores,
      outages: this.#outages,
      ...this.#observed,
      ...(isCustom(resource) && { whenServed }),
    })
  }

  /**
   * Resolves when the definition of a kind is established, or when the signal aborts. A program that may not watch
   * definitions waits until the signal aborts.
   */
  #whenDefined(resource: Resource, signal: AbortSignal): Promise<void> {
    const definition$ = watchResource({
      transport: this.#transport,
      resource: customResourceDefinitions,
      fieldSelector: `metadata.name=${definitionName(resource)}`,
      clock: this.#observed.clock,
    })
    const defined$ = definition$.pipe(
      filter((event) => event.type === 'applied' && isEstablished(event.object)),
      takeUntil(fromEvent(signal, 'abort')),
    )
    return firstValueFrom(defined$.pipe(map(() => undefined)), { defaultValue: undefined })
  }

  /** The reason why calls to the cluster cannot be made; see {@link Transport.problem}. */
  get problem(): string | undefined {
    return this.#transport.problem
  }

  served(apiVersion: string): Promise<readonly Resource[]> {
    return discoverKinds(this.#transport, apiVersion)
  }

  apiVersions(): Promise<readonly string[]> {
    return discoverApiVersions(this.#transport)
  }

  version(): Promise<string> {
    return discoverVersion(this.#transport)
  }

  /** The other names of a resource that users may type; see {@link discoverOtherNames}. */
  otherNames(resource: Resource): Promise<readonly string[]> {
    return discoverOtherNames(this.#transport, resource)
  }

  /** Every kind that a store was requested for, and whether in namespaces other than the runtime's own. */
  get reads(): readonly { resource: Resource; everywhere: boolean; namespace: string | undefined }[] {
    return this.#stores.entries.map(({ resource, namespace }) => ({
      resource,
      namespace,
      everywhere: resource.namespaced && namespace !== this.namespace,
    }))
  }

  /** Every requested store, and for how long its watch has sent nothing, in milliseconds. */
  get watched(): readonly WatchedStore<Name>[] {
    const { quiet } = this.#stores
    return this.#stores.entries.map(({ resource, namespace, store, expected }, index) => ({
      cluster: this.name,
      resource,
      namespace,
      store,
      expected,
      quietMs: quiet[index]?.quietMs ?? 0,
    }))
  }

  /** For how long each watch has sent nothing; see {@link Stores.quiet}. */
  get quiet(): Stores['quiet'] {
    return this.#stores.quiet
  }

  /** Starts the watches of every store that was or will be requested, until the signal aborts. */
  start(signal: AbortSignal): void {
    this.#stores.start(signal)
  }

  /**
   * Resolves when every store holds its first list, or is known to be of a kind that is not served or may not be
   * listed.
   */
  whenAnswered(signal: AbortSignal): Promise<void> {
    return this.#stores.whenAnswered(signal)
  }

  /** Records an accepted write in the stores, so that a program reads its own writes before the watch reports them. */
  #note(written: AcceptedWrite): void {
    if (written.deleted) this.#stores.noteDeleted(written.resource, written)
    else this.#stores.noteWritten(written.resource, written.object, written.by, written.sent)
  }
}

const keyOfWritten = (written: AcceptedWrite): Key => (written.deleted ? written.key : keyOf(written.object))
