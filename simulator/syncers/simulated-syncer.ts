/**
 * vcluster's own syncer of a kind, simulated. The plugins' hooks see what it reads and writes, in the order in which
 * running vclusters were seen to call them.
 *
 * It implements vcluster's names, labels and annotations. Deletions are propagated both ways, and virtual
 * objects are deleted and recreated as in vcluster. Up to 0.19 it copies back the status and the fields that
 * only the host decides; since 0.21 also labels, annotations, data and most of a Service. It shares no
 * translation code with the SDK, so that it does not repeat a mistake of the SDK. `syncer-loop.ts` decides
 * when a key runs. See pkg/controllers/syncer/syncer.go @ v0.19.10 and pkg/syncer/syncer.go @ v0.36.1 of
 * vcluster.
 */
import { Subscription } from 'rxjs'
import { isConflict } from '../../sdk/engine/kube/error.js'
import { formatKey, type Key, keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { EventRecorder } from '../../sdk/engine/observe/event-recorder.js'
import type { Logger } from '../../sdk/engine/observe/logger.js'
import type { Store } from '../../sdk/engine/store/store.js'
import { isControlledByOther } from './controlled-by.js'
import { HookedCluster } from './hooked-cluster.js'
import { ObjectSync, type ObjectSyncOptions, type SyncRun } from './object-sync.js'
import { HookDenied, type PluginHooks } from './plugin-hooks.js'
import type { OfBoth, Side, SyncCluster } from './sync-cluster.js'
import type { LoopedSyncer } from './syncer-loop.js'

/** Options of {@link SimulatedSyncer}. */
export interface SimulatedSyncerOptions<T extends KubeObject> extends ObjectSyncOptions<T> {
  clusters: OfBoth<SyncCluster>
  hooks: PluginHooks
  logger: Logger
}

/**
 * The delay of the next run of a key that a hook denied or that waits for a deletion, in milliseconds.
 */
const retryAfterMs = 2000

/** The simulated syncer; see the head of this file. */
export class SimulatedSyncer<T extends KubeObject> implements LoopedSyncer {
  readonly name: string
  readonly #options: SimulatedSyncerOptions<T>
  readonly #stores: OfBoth<Store<T>>
  readonly #events: EventRecorder
  readonly #sync: ObjectSync<T>
  /** The keys that a change of the copy has enqueued, until their next run. */
  readonly #enqueuedByHost = new Set<string>()
  /** The keys of virtual objects that existed at the start, until their first run. */
  readonly #foundAtStart = new Set<string>()

  constructor(options: SimulatedSyncerOptions<T>) {
    const { rules, clusters } = options
    this.#options = options
    this.name = rules.name
    this.#sync = new ObjectSync(options)
    this.#stores = {
      virtual: clusters.virtual.stores.store(rules.resource),
      host: clusters.host.stores.store(rules.resource),
    }
    this.#events = clusters.virtual.eventsOf(`${rules.name}-syncer`)
  }

  watch(enqueue: (key: Key) => void): Subscription {
    const { clusters, rules, used } = this.#options
    const changes = new Subscription()
    changes.add(clusters.virtual.stores.changes$(rules.resource).subscribe(({ key }) => enqueue(key)))
    changes.add(used?.changes$(rules.resource.kind).subscribe(enqueue))
    const hostChanges$ = clusters.host.stores.changes$(rules.resource)
    changes.add(
      hostChanges$.subscribe(({ object, previous }) => {
        for (const key of this.#virtualKeys(object, previous)) {
          this.#enqueuedByHost.add(formatKey(key))
          enqueue(key)
        }
      }),
    )
    return changes
  }

  keysAtStart(): Key[] {
    const keys = this.#stores.virtual.list().map(keyOf)
    for (const key of keys) this.#foundAtStart.add(formatKey(key))
    return [...keys, ...this.#virtualKeys(...this.#stores.host.list())]
  }

  async reconcile(key: Key, signal: AbortSignal): Promise<number | undefined> {
    const { translator, rules } = this.#options
    const virtual = this.#stores.virtual.get(key)
    const hostKey = translator.hostKey(key)
    const host = this.#stores.host.get(hostKey)
    if ([virtual, host].some((object) => object && isControlledByOther(object, this.name))) return undefined
    if (rules.exempt && formatKey(rules.exempt) === formatKey(key)) return undefined
    if (host && !this.#isCopyOf(host, key)) return this.#handleForeign(virtual, hostKey)
    return this.#withEvents(virtual, signal, async () => {
      const run = this.#runOf(key, signal)
      if (virtual && host) await this.#sync.syncBoth(run, { virtual, host })
      else if (virtual) await this.#sync.syncToHost(run, virtual)
      else if (host) await this.#sync.syncToVirtual(run, host)
    })
  }

  #virtualKeys(...hosts: readonly (T | undefined)[]): Key[] {
    return hosts.flatMap((host) => (host && this.#options.translator.virtualKey(host)) ?? [])
  }

  #isCopyOf(host: T, key: Key): boolean {
    const virtualKey = this.#options.translator.virtualKey(host)
    return virtualKey !== undefined && formatKey(virtualKey) === formatKey(key)
  }

  /** Handles a foreign object with the name of the copy. Since 0.21 vcluster does not report it. */
  #handleForeign(virtual: T | undefined, hostKey: Key): undefined {
    if (!virtual || !this.#isOld) return undefined
    const names = [formatKey(keyOf(virtual)), formatKey(hostKey)]
    const message = `conflict: cannot sync virtual object ${names[0]} as unmanaged physical object ${names[1]} exists with desired name`
    this.#events.warning(virtual, 'SyncError', message)
    throw new Error(message)
  }

  #runOf(key: Key, signal: AbortSignal): SyncRun<T> {
    const { hooks, version, rules, clusters } = this.#options
    const cluster = (side: Side) =>
      new HookedCluster<T>({
        side,
        hooks,
        version,
        signal,
        client: clusters[side].client,
        resource: rules.resource,
      })
    return {
      key,
      clusters: { virtual: cluster('virtual'), host: cluster('host') },
      isFirst: this.#foundAtStart.delete(formatKey(key)),
      isByHost: this.#enqueuedByHost.delete(formatKey(key)),
    }
  }

  get #isOld(): boolean {
    return this.#options.version === '0.19'
  }

  /**
   * Reports a failure as an Event. Unlike in vcluster, a denial is not retried at once, so that a test
   * settles.
   */
  async #withEvents(
    virtual: T | undefined,
    signal: AbortSignal,
    run: () => Promise<void>,
  ): Promise<number | undefined> {
    try {
      await run()
      return undefined
    } catch (error) {
      const side = this.#isOld ? 'physical' : 'host'
      const message = `Error syncing to ${side} cluster: ${error instanceof Error ? error.message : String(error)}`
      if (virtual && !isConflict(error) && !signal.aborted) {
        this.#events.warning(virtual, 'SyncError', message)
      }
      if (!(error instanceof HookDenied)) throw error
      this.#options.logger.warn({ syncer: this.name, error }, 'a hook denied or failed')
      return retryAfterMs
    }
  }
}
