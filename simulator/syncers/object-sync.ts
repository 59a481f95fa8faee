/**
 * One run for a virtual object and its copy. It creates, updates or deletes one of them, or both if vcluster
 * does so in one run. `stored` objects are those of the cluster, `hooked` ones what the hooks of plugins made of them.
 */
import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { type Key, keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { VClusterVersion } from '../vcluster-options.js'
import { bidirectionalUpdate, type ObjectPair } from './bidirectional-update.js'
import { withFieldsOf } from './field-path.js'
import { forRecreation } from './for-recreation.js'
import type { HookedCluster } from './hooked-cluster.js'
import type { HostTranslator } from './host-translator.js'
import type { KindRules } from './kind-rules.js'
import { LastSyncedStates } from './last-synced-states.js'
import { blockDeletion, forceSync, skipBacksync } from './metadata-keys.js'
import { propagateDeletion } from './propagate-deletion.js'
import { withHostStatus } from './status-update.js'
import type { OfBoth } from './sync-cluster.js'
import type { UsedObjects } from './used-objects.js'

/** Options of {@link ObjectSync}. */
export interface ObjectSyncOptions<T extends KubeObject> {
  rules: KindRules<T>
  translator: HostTranslator<T>
  version: VClusterVersion
  /** Tells which objects Pods use; `undefined` if all objects are synced. */
  used: UsedObjects | undefined
}

/** Both clusters with hooks. */
export type Clusters<T extends KubeObject> = OfBoth<HookedCluster<T>>

/** One run of one key. */
export interface SyncRun<T extends KubeObject> {
  key: Key
  clusters: Clusters<T>
  /** Whether the virtual object existed at the start, and this is its first run. */
  isFirst: boolean
  /** Whether a change of the copy has enqueued the key. */
  isByHost: boolean
}

/** Syncs the objects of one kind; see the head of this file. */
export class ObjectSync<T extends KubeObject> {
  readonly #options: ObjectSyncOptions<T>
  readonly #lastSynced = new LastSyncedStates<T>()

  constructor(options: ObjectSyncOptions<T>) {
    this.#options = options
  }

  /** Handles a virtual object without a copy. */
  async syncToHost({ key, clusters: { virtual, host }, isFirst }: SyncRun<T>, stored: T): Promise<void> {
    if (isFirst && !this.#isOld) await readTwice(virtual, stored)
    const hooked = await virtual.afterRead(stored)
    const wasSynced = this.#lastSynced.get(key, hooked) !== undefined
    if (wasSynced || hooked.metadata.deletionTimestamp) return this.#handleDeletedCopy(virtual, hooked)
    if (!this.#isWanted(hooked)) return
    const created = await host.create(this.#newCopy(hooked))
    if (this.#options.rules.virtualStatus && !this.#isOld) await host.afterRead(created)
    this.#setLastSynced(key, { virtual: hooked, host: created })
  }

  /** Handles a virtual object with its copy. */
  async syncBoth({ key, clusters, isByHost }: SyncRun<T>, stored: ObjectPair<T>): Promise<void> {
    const { rules, translator } = this.#options
    const hooked = await this.#readBoth(clusters, stored, isByHost)
    const isEarlier = translator.isOfEarlierObject(hooked.host, hooked.virtual)
    if (isEarlier && !rules.updatesOnNewUid) return this.#deleteEarlier(clusters.host, hooked.host)
    if (await propagateDeletion(clusters, hooked)) return
    if (!this.#isWanted(hooked.virtual)) return clusters.host.delete(hooked.host)
    if (rules.isWaiting?.(hooked)) return
    if (await this.#recreateVirtual(key, clusters, hooked)) return
    if (await this.#updateVirtual(clusters, stored, hooked)) return
    const desired = this.#desiredPair(key, hooked)
    const virtual = await this.#putVirtual(clusters.virtual, { stored, hooked, desired: desired.virtual })
    const host = await this.#put(clusters.host, {
      stored: stored.host,
      hooked: hooked.host,
      desired: desired.host,
    })
    this.#setLastSynced(key, { virtual, host })
  }

  /** Handles a copy without its virtual object. */
  async syncToVirtual({ key, clusters: { host } }: SyncRun<T>, stored: T): Promise<void> {
    if (stored.metadata.annotations?.[skipBacksync] === 'true') return
    const hooked = await host.afterRead(stored)
    const isBlocked = hooked.metadata.annotations?.[blockDeletion] === 'true'
    if (hooked.metadata.deletionTimestamp || isBlocked) return
    await host.delete(hooked)
    this.#lastSynced.delete(key)
    // Up to 0.19 the copy's own key was enqueued as well, and usually ran before the cache had the deletion.
    if (this.#isOld) await host.afterRead(stored)
  }

  /** Handles a deleted copy: up to 0.19 the next run creates it again; since 0.21 the virtual object is deleted. */
  async #handleDeletedCopy(virtual: HookedCluster<T>, hooked: T): Promise<void> {
    this.#lastSynced.delete(keyOf(hooked))
    const isPod = this.#options.rules.resource.kind === 'Pod'
    // Without this check, an object with finalizers would be deleted repeatedly.
    if (hooked.metadata.deletionTimestamp && !isPod) return
    await virtual.delete(hooked, isPod ? { gracePeriodSeconds: 0 } : {})
  }

  /** Deletes the copy of an earlier object. The deletion event enqueues the key again. */
  async #deleteEarlier(host: HookedCluster<T>, copy: T): Promise<void> {
    if (!copy.metadata.deletionTimestamp) await host.delete(copy)
  }

  /** Deletes and recreates the virtual object if its rules say so. Returns whether it did; the next run continues. */
  async #recreateVirtual(key: Key, { virtual }: Clusters<T>, hooked: ObjectPair<T>): Promise<boolean> {
    const { recreated, virtualUpdate } = this.#options.rules
    const before = this.#isOld && virtualUpdate ? virtualUpdate(hooked) : hooked.virtual
    const replacement = recreated?.({ ...hooked, virtual: before })
    if (!replacement) return false
    await virtual.delete(hooked.virtual)
    this.#lastSynced.carryOver(key, hooked.virtual, await virtual.create(forRecreation(replacement)))
    return true
  }

  /**
   * Up to 0.19: updates the virtual object with the fields that only the host decides. Returns whether it did; the next
   * run continues.
   */
  async #updateVirtual(
    { virtual }: Clusters<T>,
    stored: ObjectPair<T>,
    hooked: ObjectPair<T>,
  ): Promise<boolean> {
    const desired = this.#isOld ? this.#options.rules.virtualUpdate?.(hooked) : undefined
    if (!desired || jsonEqual(hooked.virtual, desired)) return false
    await this.#put(virtual, { stored: stored.virtual, hooked: hooked.virtual, desired })
    return true
  }

  /** Reads both objects through the hooks. Up to 0.19 a key that the copy enqueued reads the copy first, twice. */
  async #readBoth(
    { virtual, host }: Clusters<T>,
    stored: ObjectPair<T>,
    isByHost: boolean,
  ): Promise<ObjectPair<T>> {
    if (!this.#isOld || !isByHost) {
      return { virtual: await virtual.afterRead(stored.virtual), host: await host.afterRead(stored.host) }
    }
    await host.afterRead(stored.host)
    return { host: await host.afterRead(stored.host), virtual: await virtual.afterRead(stored.virtual) }
  }

  /** The desired state of both objects. */
  #desiredPair(key: Key, hooked: ObjectPair<T>): ObjectPair<T> {
    const { rules, translator } = this.#options
    const { bidirectional: fields, hostUpdate } = rules
    if (this.#isOld) {
      const host = hostUpdate ? hostUpdate(hooked) : withFieldsOf(hooked.host, hooked.virtual, fields)
      return this.#withCopy(
        { virtual: hooked.virtual, host },
        translator.replacedMetadata(hooked.virtual, host),
      )
    }
    const old = this.#lastSynced.get(key, hooked.virtual)
    const pair = bidirectionalUpdate({ ...hooked, old, fields, labels: translator.labels })
    return this.#withCopy(pair, translator.markedMetadata(pair.virtual, pair.host))
  }

  #withCopy({ virtual, host }: ObjectPair<T>, metadata: Pick<T['metadata'], 'labels' | 'annotations'>) {
    const updated = this.#options.rules.updated(host, this.#newCopy(virtual))
    const { [blockDeletion]: _, ...annotations } = metadata.annotations ?? {}
    return { virtual, host: { ...updated, metadata: { ...host.metadata, ...metadata, annotations } } }
  }

  #newCopy(virtual: T): T {
    const { rules, translator } = this.#options
    return rules.created(translator.newCopy(virtual), translator.vclusterName)
  }

  async #putVirtual(
    virtual: HookedCluster<T>,
    { stored, hooked, desired }: { stored: ObjectPair<T>; hooked: ObjectPair<T>; desired: T },
  ): Promise<T> {
    const written = await this.#put(virtual, { stored: stored.virtual, hooked: hooked.virtual, desired })
    const withStatus = withHostStatus(this.#options.rules, hooked, written)
    if (!withStatus) return written
    if (!this.#isOld) await virtual.afterRead(stored.virtual)
    return virtual.update(withStatus, { status: true })
  }

  /**
   * Writes the desired object if it differs from the object that the hooks returned. Returns the present object, before
   * the hooks. Since 0.21 the stored object is read once more before the write.
   */
  async #put(
    cluster: HookedCluster<T>,
    { stored, hooked, desired }: { stored: T; hooked: T; desired: T },
  ): Promise<T> {
    if (jsonEqual(hooked, desired)) return hooked
    if (!this.#isOld) await cluster.afterRead(stored)
    return cluster.update(desired)
  }

  #isWanted(virtual: T): boolean {
    const { used, rules } = this.#options
    const isForced = virtual.metadata.annotations?.[forceSync] === 'true'
    return !used || isForced || used.has(rules.resource.kind, keyOf(virtual))
  }

  #setLastSynced(key: Key, state: ObjectPair<T>): void {
    if (!this.#isOld) this.#lastSynced.set(key, state)
  }

  /** Whether the vcluster is one up to 0.20, whose syncers work in another order. */
  get #isOld(): boolean {
    return this.#options.version === '0.19'
  }
}

/** Since 0.21 an object that exists at the start is read twice more before its copy is created. */
async function readTwice<T extends KubeObject>(cluster: HookedCluster<T>, object: T): Promise<void> {
  await cluster.afterRead(object)
  await cluster.afterRead(object)
}
