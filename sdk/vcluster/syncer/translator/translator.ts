/**
 * Virtual objects and their copies in the host cluster: the name, the content and the ownership of a copy.
 *
 * Copies have vcluster's own names, labels and annotations, so that vcluster recognises them. No ownership label of a
 * tenant reaches the host. A host object is written only if it is provably our copy. Neither original nor copy is ever
 * mutated. `syncer/reconcile/` decides when a method is called, and `ownership/` sends the writes.
 */
import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { asItsType, type DeepReadonly } from '../../../engine/kube/deep-readonly.js'
import { PluginError } from '../../../engine/kube/error.js'
import { type Key, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import type { HostNaming } from '../../naming/naming.js'
import { storedHost } from '../../ownership/host-objects.js'
import { provenSource } from '../../ownership/ownership.js'
import { createCopy, deleteCopy, updateCopy } from '../../ownership/write-copy.js'
import type { MergeBothOptions } from '../both/merge-both.js'
import type { RememberedFields } from '../both/remembered.js'
import { syncBoth } from '../both/sync-both.js'
import { CopyContest } from '../contest/copy-contest.js'
import { DriftMetrics } from '../fields/drift-metrics.js'
import { ReferenceTranslator } from '../references/reference-translator.js'
import { referredSource } from '../references/referred-source.js'
import { asPlainPair, type OldStates, type Pair, Syncer } from '../syncer.js'
import { CopyMetadata } from './copy-metadata.js'
import { CopyTranslation, type MetadataUpdate } from './copy-translation.js'
import { rememberedFields } from './remembered-fields.js'
import type { OwnTranslatorOptions } from './translator-options.js'

/**
 * A syncer that makes copies on the host, under names that a {@link HostNaming} gives. Extend
 * {@link NamespacedTranslator} or {@link ClusterTranslator}, which bring vcluster's names.
 *
 * Its methods are those of the Go SDK's `NamespacedTranslator` (`syncer/translator/translator.go` @
 * vcluster-sdk v0.4.2), with ownership checked before each write. {@link syncUpStatus}, {@link syncFinalizers} and
 * {@link syncDeletion} are functions that a subclass calls from `sync`, {@link finishDeletion} from `syncDown`.
 *
 * @example
 * ```ts
 * class ConfigMaps extends NamespacedTranslator<ConfigMap> {
 *   override syncDown(ctx: SyncContext, virtual: DeepReadonly<ConfigMap>) {
 *     return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
 *   }
 *   override sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
 *     return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
 *   }
 * }
 * plugin.register(new ConfigMaps(ctx, 'configmap', configMaps))
 * ```
 */
export abstract class Translator<T extends KubeObject = KubeObject> extends Syncer<T> {
  /** Gives the names, the marker and the labels of copies. */
  readonly naming: HostNaming
  override readonly hostNamespaces: readonly string[] | undefined
  readonly #translation: CopyTranslation<T>
  readonly #references: ReferenceTranslator<T>
  readonly #remembered: RememberedFields<T> | undefined
  readonly #driftMetrics: DriftMetrics
  readonly #contest: CopyContest

  constructor(ctx: RegisterContext, name: string, resource: Resource<T>, options: OwnTranslatorOptions) {
    super(name, resource)
    this.#references = new ReferenceTranslator(resource, options.naming, options.references)
    const metadata = new CopyMetadata(resource, options, this.#references)
    this.naming = options.naming
    this.hostNamespaces = options.naming.hostNamespaces
    this.#translation = new CopyTranslation<T>(this, { ctx, metadata, references: this.#references })
    this.#remembered = rememberedFields(resource, metadata, options)
    this.#driftMetrics = new DriftMetrics({ name, metrics: ctx.metrics })
    this.#contest = CopyContest.for(this, (run) => run.virtual.store(resource).get(run.key), ctx.clock)
  }

  /** The key of the copy of the virtual object `key`. Override it for other names; all other methods use it. */
  virtualToHost(key: Key, _virtual?: T): Key | undefined {
    return this.naming.hostKey(key)
  }

  /** The virtual object of which a host object is provably the copy. */
  hostToVirtual(host: T): Key | undefined {
    return provenSource(host, {
      resource: this.resource,
      marker: this.naming.marker,
      hostKey: (key) => this.virtualToHost(key),
    })
  }

  /** Whether marker label, `object-*` annotations and the name computed from them agree. */
  isManaged(host: T): boolean {
    return this.hostToVirtual(host) !== undefined
  }

  /** Calls {@link isManaged} only if a subclass overrides it, because otherwise it repeats {@link hostToVirtual}. */
  override sourceOf(host: T): Key | undefined {
    const source = this.hostToVirtual(host)
    if (!source || this.isManaged === Translator.prototype.isManaged) return source
    return this.isManaged(host) ? source : undefined
  }

  /**
   * The part of an original that is copied: override it to leave out, change or add fields, labels or annotations.
   * The new copy and every later update are made from its result, so both agree. It must depend on the original alone
   * and must not change it; of `metadata` only labels and annotations matter. Default: all of it.
   */
  transform(virtual: DeepReadonly<T>): T {
    return asItsType<T>(virtual)
  }

  /**
   * A new copy of a virtual object: same content, translated metadata, and in the target namespace the vcluster's
   * Service as its owner. `status` is left out: the host's controllers write their own; a Secret for a
   * ServiceAccount's token becomes `Opaque`. Nothing is mutated; content is shared. Throws `PluginError` with code
   * `NO_HOST_NAME` for an object that may have no copy, and `PermanentError` for one with a reference that is not
   * allowed or has no rule.
   */
  translateMetadata(virtual: DeepReadonly<T>): T {
    return this.#translation.newCopy(virtual)
  }

  /** The wanted labels and annotations of an existing copy. Missing ownership annotations count as a change. */
  translateMetadataUpdate(host: DeepReadonly<T>, virtual: DeepReadonly<T>): MetadataUpdate {
    return this.#translation.metadataUpdate(host, virtual)
  }

  /**
   * The wanted update of an existing copy, or `undefined` when it is up to date. Labels and annotations are
   * translated; every other top-level field except `status` is compared as JSON, taken from the original, and removed
   * where the original has none. For fields that the host's API server fills in by itself (a Service's `clusterIP`)
   * override this, or each run writes. The result keeps the copy's resourceVersion, so that an update with it fails
   * when the copy has changed meanwhile. Throws as {@link translateMetadata} does.
   */
  translateUpdate(givenHost: DeepReadonly<T>, virtual: DeepReadonly<T>): T | undefined {
    const host = asItsType<T>(givenHost)
    const { changed, labels, annotations } = this.translateMetadataUpdate(host, virtual)
    const updated = this.#translation.contentUpdate(host, virtual)
    if (changed || updated !== host)
      return { ...updated, metadata: { ...host.metadata, labels, annotations } }
    // The last synced state may be missing, or changed by hand.
    const stamped = this.#withLastSynced(host, virtual)
    return stamped === host ? undefined : stamped
  }

  /**
   * Creates the copy. If the copy already exists, the next run handles it; a foreign object with its name is refused
   * with `NameConflictError`. A missing target namespace is waited for. If another program deletes the copy each time,
   * it is created more and more rarely. Any other failure causes a Warning Event `SyncError` on the virtual object and
   * is thrown, to be retried; neither contains data of a Secret. Throws `PluginError` with code `NOT_A_COPY` for a
   * `host` that {@link isManaged} would not recognise as the copy.
   */
  async syncDownCreate(
    ctx: SyncContext,
    virtual: DeepReadonly<T>,
    host: DeepReadonly<T>,
  ): Promise<ReconcileResult | undefined> {
    const [copy, original] = [this.#withLastSynced(host, virtual), asItsType<T>(virtual)]
    const paused = this.#contest.pauseCreation(ctx, { copy, named: original })
    if (paused) return paused
    const outcome = await createCopy(this, ctx, { host: copy, virtual: original })
    if (!outcome) this.#recordWrite(ctx, virtual)
    return outcome
  }

  /**
   * Updates the copy to what {@link translateUpdate} returned; `undefined` means that nothing is written. Throws
   * `NameConflictError` if the host object is foreign. A conflict is thrown without an Event, to be retried. A sealed
   * copy (`immutable: true`) whose content must change is deleted, and the next run creates it again. If another
   * program sets fields back each time, the copy is written more and more rarely. Other failures are as in {@link
   * syncDownCreate}.
   */
  async syncDownUpdate(
    ctx: SyncContext,
    virtual: DeepReadonly<T>,
    updated: DeepReadonly<T> | undefined,
  ): Promise<ReconcileResult | undefined> {
    const before = this.#storedCopy(ctx, virtual)
    if (updated === undefined) return this.#driftMetrics.recordNoop(virtual, before)
    const paused = this.#contest.pause(ctx, { copy: before, wanted: asItsType<T>(updated) })
    if (paused) return paused
    const outcome = await updateCopy(this, ctx, {
      host: this.#withLastSynced(updated, virtual),
      virtual: asItsType<T>(virtual),
    })
    this.#recordWrite(ctx, virtual, before)
    return outcome
  }

  /**
   * Copies remembered fields that only one side has changed to the other side. All other fields are synced as by
   * {@link translateUpdate} and {@link syncDownUpdate}. If both sides have changed a field, or if the copy does not
   * record which side has, `onConflict` decides; a conflict is logged and counted (`sync_conflicts_total`). Labels
   * and annotations are compared key by key.
   *
   * A change that goes down is one write. A change that comes up is three: the copy announces it, the original gets
   * it, and the copy records the new state of both. Fields that other programs contest are written more and more
   * rarely. Throws `PluginError` with code `NOTHING_REMEMBERED` without the option `remembers`.
   */
  syncBoth(
    ctx: SyncContext,
    pair: Pair<T>,
    options: MergeBothOptions = {},
  ): Promise<ReconcileResult | undefined> {
    const [remembered, driftMetrics, contest] = [this.#remembered, this.#driftMetrics, this.#contest]
    if (remembered)
      return syncBoth(this, ctx, asPlainPair(pair), { ...options, remembered, driftMetrics, contest })
    throw new PluginError(
      'NOTHING_REMEMBERED',
      `syncer ${this.name} cannot tell which side changed without the option remembers: set it to the fields of both sides, for example ['spec']`,
    )
  }

  /** Both objects as they were when they were last equal, by the option `remembers`. */
  override lastSynced(pair: Pair<T>): OldStates<T> {
    return this.#remembered?.oldStates(asPlainPair(pair)) ?? {}
  }

  /** Deletes the copy if it is still the given object. Throws `NameConflictError` for a foreign object. */
  syncDownDelete(ctx: SyncContext, host: DeepReadonly<T>): Promise<undefined> {
    this.#contest.recordDeletion(ctx)
    return deleteCopy(this, ctx, asItsType<T>(host))
  }

  /**
   * A host object with its references as the virtual cluster names them: for content that is brought up. A referred
   * host object that neither the original nor an annotation names is requested from the host. Throws `PermanentError`
   * for a reference to an object that is not a copy of this vcluster.
   */
  virtualReferences(ctx: SyncContext, pair: Pair<T>): Promise<T> {
    const { host, virtual } = asPlainPair(pair)
    return this.#references.toVirtual(host, virtual, (...reference) => referredSource(ctx, ...reference))
  }

  #storedCopy(ctx: SyncContext, virtual: DeepReadonly<T>): T | undefined {
    const hostKey = this.virtualToHost(keyOf(virtual), asItsType<T>(virtual))
    return hostKey && storedHost(this, ctx, hostKey)
  }

  /** Records a write of the copy. If the key runs again after its own write, that run records the equal copy. */
  #recordWrite(ctx: SyncContext, virtual: DeepReadonly<T>, before?: T): void {
    const copy = this.#storedCopy(ctx, virtual)
    this.#contest.recordWrite(ctx, copy)
    this.#driftMetrics.recordWrite(virtual, { before, after: this.runsAfterOwnWrites ? undefined : copy })
  }

  #withLastSynced(host: DeepReadonly<T>, virtual: DeepReadonly<T>): T {
    const pair = { host: asItsType<T>(host), virtual: asItsType<T>(virtual) }
    return this.#remembered?.withSyncedState(pair) ?? pair.host
  }
}
