/**
 * Virtual objects and their copies in the host cluster: what a copy is called, what it carries, whose it is.
 *
 * This room promises vcluster's own names, labels and annotations, so that vcluster recognises the copies; that no ownership label a
 * tenant writes reaches the host; that what is not provably ours is never written; and that neither original
 * nor copy is ever mutated. It leaves to `controller/` when to do what, and to `client/` how a write gets
 * there.
 */
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import type { ReconcileResult } from '../../controller/reconcile-result.js'
import { asItsType, type Given } from '../../kube/deep-readonly.js'
import { PluginError } from '../../kube/error.js'
import { jsonEqual } from '../../kube/json.js'
import { formatKey, type Key, keyOf } from '../../kube/key.js'
import type { LabelSelector } from '../../kube/label-selector.js'
import type { KubeObject, ObjectMeta } from '../../kube/object.js'
import type { Resource } from '../../kube/resource.js'
import { excludedKeys, hostAnnotations } from '../../naming/annotations.js'
import { hostLabels, isHelmRecord, virtualLabels } from '../../naming/labels.js'
import type { HostNaming } from '../../naming/naming.js'
import { isOwnershipKey } from '../../naming/ownership-keys.js'
import { hostLabelSelector, namespaceLabelSelector, virtualLabelSelector } from '../../naming/selectors.js'
import { storedHost } from '../../ownership/host-objects.js'
import { provenSource } from '../../ownership/ownership.js'
import { hostContent, withFieldsOf, withoutStatus } from '../../ownership/translate-fields.js'
import { createCopy, deleteCopy, updateCopy } from '../../ownership/write-copy.js'
import type { MergeBothOptions } from '../both/merge-both.js'
import { Remembered, type RememberedPath } from '../both/remembered.js'
import { syncBoth } from '../both/sync-both.js'
import type { References } from '../references/reference-rules.js'
import { ReferenceTranslator } from '../references/reference-translator.js'
import { referredSource } from '../references/referred-source.js'
import { asPlainPair, type GivenPair, type OldStates, Syncer } from '../syncer.js'
import { DriftMetrics } from './drift-metrics.js'
import { createKeyFilter, type KeyFilter } from './key-filter.js'
import { finishDeletion, syncDeletion } from './sync-deletion.js'
import { syncFinalizers } from './sync-finalizers.js'
import { type StatusOptions, statusAlone, syncUpStatus } from './sync-status.js'
import { hostMetadata } from './translate-metadata.js'

/** Options of every translator. */
export interface TranslatorOptions {
  /** Annotations that belong to the host: never copied, never removed; default none. */
  excludedAnnotations?: readonly string[]
  /** Which labels of the original the copy gets; default all, as vcluster does. */
  labels?: KeyFilter
  /** Which annotations of the original the copy gets; default all, as vcluster does. */
  annotations?: KeyFilter
  /**
   * Which fields refer to other objects, and how they are translated. An object with a member that looks like
   * a reference and is not named here is not copied; built-in kinds that make sense on the host have rules
   * already. `plain` copies everything as it is, for kinds that no tenant can write.
   */
  references?: References | 'plain'
  /**
   * Fields whose last synced state each copy records, so that `sync` knows which side has changed what, also
   * while no replica ran, and for {@link Translator.syncBoth}; default none. Fields that
   * {@link Translator.transform} changes do not belong here.
   */
  remembers?: readonly RememberedPath[]
}

/** Options that only the SDK's own translators set. */
export interface OwnTranslatorOptions extends TranslatorOptions {
  naming: HostNaming
  /** Fields that are not remembered, because each side has its own; default none. */
  ignored?: readonly (readonly string[])[]
}

/** The wanted metadata of a copy. */
export interface MetadataUpdate {
  /** Whether the copy's labels or annotations differ from these. */
  changed: boolean
  labels: Record<string, string>
  annotations: Record<string, string>
}

/**
 * A syncer that makes copies on the host, under names that a {@link HostNaming} gives. Extend
 * {@link NamespacedTranslator} or {@link ClusterTranslator}, which bring vcluster's names.
 *
 * Its methods are those of the Go SDK's `NamespacedTranslator` (`syncer/translator/translator.go` @
 * vcluster-sdk v0.4.2), with ownership checked before each write.
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
  readonly #ctx: RegisterContext
  readonly #naming: HostNaming
  readonly #acceptsLabel: (key: string) => boolean
  readonly #acceptsAnnotation: (key: string) => boolean
  readonly #excluded: ReadonlySet<string>
  readonly #references: ReferenceTranslator<T>
  readonly #remembered: Remembered<T> | undefined
  readonly #driftMetrics: DriftMetrics
  override readonly hostNamespaces: readonly string[] | undefined

  constructor(
    ctx: RegisterContext,
    name: string,
    resource: Resource<T>,
    {
      naming,
      excludedAnnotations = [],
      labels = {},
      annotations = {},
      references = {},
      remembers = [],
      ignored = [],
    }: OwnTranslatorOptions,
  ) {
    super(name, resource)
    this.#ctx = ctx
    this.#driftMetrics = new DriftMetrics({ name, metrics: ctx.metrics })
    this.#naming = naming
    this.hostNamespaces = naming.hostNamespaces
    this.#acceptsLabel = createKeyFilter(labels)
    this.#acceptsAnnotation = createKeyFilter(annotations)
    this.#excluded = excludedKeys(excludedAnnotations)
    this.#references = new ReferenceTranslator(resource, naming, references)
    if (remembers.length === 0) return
    const crossing = {
      virtual: (virtual: T) => this.#crossing(virtual, virtual.metadata.labels),
      host: (host: T, virtual: T) => this.#crossing(host, this.virtualLabels(host, virtual)),
    }
    this.#remembered = new Remembered({ resource, paths: remembers, ignored, crossing })
  }

  /** The key of the copy of `key`. Override it for other names; all other methods use it. */
  virtualToHost(key: Key, _virtual?: T): Key | undefined {
    return this.#naming.hostKey(key)
  }

  /** The virtual object of which a host object is provably the copy. */
  hostToVirtual(host: T): Key | undefined {
    return provenSource(host, {
      resource: this.resource,
      marker: this.#naming.marker,
      hostKey: (key) => this.virtualToHost(key),
    })
  }

  /** Whether marker label, `object-*` annotations and the name computed from them agree. */
  isManaged(host: T): boolean {
    return this.hostToVirtual(host) !== undefined
  }

  /** Asks {@link isManaged} only where a subclass overrides it: otherwise it repeats {@link hostToVirtual}. */
  override sourceOf(host: T): Key | undefined {
    const source = this.hostToVirtual(host)
    if (!source || this.isManaged === Translator.prototype.isManaged) return source
    return this.isManaged(host) ? source : undefined
  }

  /**
   * The part of an original that is copied: override it to leave out, change or add fields, labels or
   * annotations. The new copy and every later update are made from its result, so both agree. It must depend
   * on the original alone and must not change it; of `metadata` only labels and annotations matter. Default:
   * all of it.
   */
  transform(virtual: Given<T>): T {
    return asItsType<T>(virtual)
  }

  /**
   * A new copy of a virtual object: same content, translated metadata, and in the target namespace the vcluster's
   * Service as its owner.
   * `status` is left out: the host's controllers write their own; a Secret for a ServiceAccount's token becomes
   * `Opaque`. Nothing is mutated; content is shared.
   * Throws `PluginError` with code `NO_HOST_NAME` for an object that may have no copy, and `PermanentError`
   * for one with a reference that is not allowed or has no rule.
   */
  translateMetadata(given: Given<T>): T {
    const virtual = asItsType<T>(given)
    const hostKey = this.#hostKeyOf(virtual)
    const source = this.#sourceOf(virtual)
    const metadata = hostMetadata(virtual, {
      hostKey,
      labels: this.#labels(source),
      annotations: this.#annotations(source, { hostKey }),
      // An owner in another namespace counts as gone: the garbage collector would delete the copy.
      owner: hostKey.namespace === this.#ctx.targetNamespace ? this.#ctx.owner() : undefined,
    })
    return { ...withoutStatus(this.#content(source)), metadata }
  }

  /**
   * The wanted labels and annotations of an existing copy. Missing ownership annotations count as a change.
   */
  translateMetadataUpdate(givenHost: Given<T>, virtual: Given<T>): MetadataUpdate {
    const host = asItsType<T>(givenHost)
    const source = this.#sourceOf(virtual)
    const labels = this.#labels(source, host)
    const annotations = this.#annotations(source, { hostKey: keyOf(host), host })
    const changed =
      !jsonEqual(host.metadata.labels ?? {}, labels) ||
      !jsonEqual(host.metadata.annotations ?? {}, annotations)
    return { changed, labels, annotations }
  }

  /**
   * The wanted update of an existing copy, or `undefined` when it is up to date. Labels and annotations are
   * translated; every other top-level field except `status` is compared as JSON, taken from the original, and
   * removed where the original has none. For fields that the host's API server fills in by itself (a
   * Service's `clusterIP`) override this, or each run writes. The result keeps the copy's resourceVersion, so
   * that an update with it fails when the copy has changed meanwhile. Throws as {@link translateMetadata}
   * does.
   */
  translateUpdate(givenHost: Given<T>, virtual: Given<T>): T | undefined {
    const host = asItsType<T>(givenHost)
    const { changed, labels, annotations } = this.translateMetadataUpdate(host, virtual)
    const updated = withFieldsOf(host, this.#content(this.#sourceOf(virtual)))
    if (!changed && updated === host) return this.#restamped(host, virtual)
    return { ...updated, metadata: { ...host.metadata, labels, annotations } }
  }

  /**
   * Creates the copy. One that is already there is left to the next run if it is ours, else refused with
   * `NameConflictError`. A missing target namespace is waited for. Any other failure causes a Warning Event
   * `SyncError` on the virtual object and is thrown, to be retried; of a Secret neither tells any data.
   * Throws `PluginError` with code `NOT_A_COPY` for a `host` that {@link isManaged} would not know as the copy.
   */
  async syncDownCreate(
    ctx: SyncContext,
    virtual: Given<T>,
    host: Given<T>,
  ): Promise<ReconcileResult | undefined> {
    const outcome = await createCopy(this, ctx, {
      host: this.#stamped(host, virtual),
      virtual: asItsType<T>(virtual),
    })
    if (!outcome) this.#driftMetrics.recordWrite(virtual, { after: this.#leftCopy(ctx, virtual) })
    return outcome
  }

  /**
   * Updates the copy to what {@link translateUpdate} returned; `undefined` means there is nothing to do.
   * Refuses with `NameConflictError` where a host object is not ours. A conflict is thrown without an Event, to
   * be retried; a sealed copy (`immutable: true`) whose content must change is deleted, and the next run
   * creates it anew; what else can happen is as in {@link syncDownCreate}.
   */
  async syncDownUpdate(
    ctx: SyncContext,
    virtual: Given<T>,
    updated: Given<T> | undefined,
  ): Promise<ReconcileResult | undefined> {
    const before = this.#storedCopy(ctx, virtual)
    if (updated === undefined) return this.#driftMetrics.recordNoop(virtual, before)
    const outcome = await updateCopy(this, ctx, {
      host: this.#stamped(updated, virtual),
      virtual: asItsType<T>(virtual),
    })
    this.#driftMetrics.recordWrite(virtual, { before, after: this.#leftCopy(ctx, virtual) })
    return outcome
  }

  /**
   * Brings the remembered fields that one side alone has changed to the other, and else does what {@link translateUpdate}
   * and {@link syncDownUpdate} do. If both have changed a field, or if the copy does not record which side
   * has, `onConflict` decides; a conflict is logged and counted (`sync_conflicts_total`). Labels and
   * annotations are compared key by key.
   *
   * A change that goes down is one write. One that comes up is three: the copy announces it, the original gets it, and the
   * copy tells what both are.
   * Throws `PluginError` with code `NOTHING_REMEMBERED` without the option `remembers`.
   */
  syncBoth(
    ctx: SyncContext,
    pair: GivenPair<T>,
    options: MergeBothOptions = {},
  ): Promise<ReconcileResult | undefined> {
    const [remembered, driftMetrics] = [this.#remembered, this.#driftMetrics]
    if (remembered) return syncBoth(this, ctx, asPlainPair(pair), { ...options, remembered, driftMetrics })
    throw new PluginError(
      'NOTHING_REMEMBERED',
      `syncer ${this.name} cannot tell which side changed without the option remembers: set it to the fields of both sides, for example ['spec']`,
    )
  }

  /** Both objects as they were when they were last alike, by the option `remembers`. */
  override lastSynced(pair: GivenPair<T>): OldStates<T> {
    return (this.#remembered?.oldStates(asPlainPair(pair)) ?? {}) as OldStates<T>
  }

  /** Deletes the copy, and only the very object given. Refuses with `NameConflictError` what is not ours. */
  syncDownDelete(ctx: SyncContext, host: Given<T>): Promise<undefined> {
    return deleteCopy(this, ctx, asItsType<T>(host))
  }

  /**
   * A host object with its references as the virtual cluster names them: for content that is brought up. A
   * referred host object that neither the original nor an annotation names is requested from the host. Throws
   * `PermanentError` for a reference to an object that is not a copy of this vcluster.
   */
  virtualReferences(ctx: SyncContext, pair: GivenPair<T>): Promise<T> {
    const { host, virtual } = asPlainPair(pair)
    return this.#references.toVirtual(host, virtual, (...reference) => referredSource(ctx, ...reference))
  }

  /**
   * The status of the copy, which the host's controllers write, for the original; of `fields` alone where they are
   * given. References in it, by rules about `status`, are translated. See {@link syncUpStatus}.
   */
  async syncUpStatus(ctx: SyncContext, given: GivenPair<T>, options: StatusOptions = {}): Promise<undefined> {
    const pair = asPlainPair(given)
    const host = await this.virtualReferences(ctx, { host: statusAlone(pair.host), virtual: pair.virtual })
    return syncUpStatus(this, ctx, { host, virtual: pair.virtual }, options)
  }

  /**
   * Makes a deletion that one side has begun happen on the other, with its grace period. Answers whether either side is
   * being deleted; then there is mostly nothing more to do. Objects that are deleted together with their
   * custom kind are deleted on that side only; to detect this on the host, the syncer needs the right to get
   * CustomResourceDefinitions there.
   */
  syncDeletion(ctx: SyncContext, pair: GivenPair<T>): Promise<boolean> {
    return syncDeletion(this, ctx, asPlainPair(pair))
  }

  /**
   * For `syncDown`: lets go of a virtual object that is being deleted and whose copy is gone. Answers whether it is
   * being deleted; then it must not be copied again.
   */
  finishDeletion(ctx: SyncContext, virtual: Given<T>): Promise<boolean> {
    return finishDeletion(this, ctx, asItsType<T>(virtual))
  }

  /** Keeps the original there as long as finalizers hold its copy; `finishDeletion` takes them off again. */
  syncFinalizers(ctx: SyncContext, pair: GivenPair<T>): Promise<void> {
    return syncFinalizers(this, ctx, asPlainPair(pair))
  }

  /**
   * A selector of virtual objects as a selector of their copies; with `namespace` of none but those of that virtual
   * namespace. Throws `PermanentError` for a label that copies do not carry.
   */
  translateLabelSelector(selector: LabelSelector | undefined, namespace?: string): LabelSelector | undefined {
    const { scheme, marker } = this.#naming
    return hostLabelSelector(selector, { scheme, marker, namespace })
  }

  /** The way back; throws `PermanentError` for a label that no virtual object has, or that only a hash is known of. */
  virtualLabelSelector(selector: LabelSelector | undefined): LabelSelector | undefined {
    return virtualLabelSelector(selector, this.#naming.scheme)
  }

  /** A selector of virtual namespaces as a selector of Pods' copies, which carry the labels of their namespace. */
  namespaceLabelSelector(selector: LabelSelector | undefined): LabelSelector | undefined {
    return namespaceLabelSelector(selector, this.#ctx.vclusterName)
  }

  /** The labels of a copy as its original has them; `virtual`, as it is, helps with keys that were hashed. */
  virtualLabels(host: Given<T>, virtual?: Given<T>): Record<string, string> {
    return virtualLabels(asItsType<T>(host), this.#naming.scheme, virtual)
  }

  /**
   * Indexes the virtual objects by where their copies stand, for {@link virtualByHostName}: call it in
   * `registerIndices` (`IndexByPhysicalName` of the Go SDK).
   */
  indexHostNames(): void {
    this.#ctx.virtual.store(this.resource).addIndex(this.#hostNames, (virtual) => {
      const hostKey = this.virtualToHost(keyOf(virtual), virtual)
      return hostKey ? [formatKey(hostKey)] : []
    })
  }

  /** The virtual object whose copy has, or is to have, that key; needs {@link indexHostNames}. */
  virtualByHostName(hostKey: Key): T | undefined {
    return this.#ctx.virtual.store(this.resource).byIndex(this.#hostNames, formatKey(hostKey))[0]
  }

  get #hostNames(): string {
    return `host names of ${this.name}`
  }

  #storedCopy(ctx: SyncContext, virtual: Given<T>): T | undefined {
    const hostKey = this.virtualToHost(keyOf(virtual), asItsType<T>(virtual))
    return hostKey && storedHost(this, ctx, hostKey)
  }

  /** The copy after a write, if no run looks at it before it changes again. */
  #leftCopy(ctx: SyncContext, virtual: Given<T>): T | undefined {
    return this.runsAfterOwnWrites ? undefined : this.#storedCopy(ctx, virtual)
  }

  /** The transformed original under its own identity: no transformation may pass one object off as another. */
  #sourceOf(given: Given<T>): T {
    const virtual = asItsType<T>(given)
    const source = this.transform(given)
    if (source === virtual) return virtual
    const { labels, annotations } = source.metadata
    const { labels: _, annotations: __, ...identity } = virtual.metadata
    return {
      ...source,
      metadata: { ...identity, ...(labels && { labels }), ...(annotations && { annotations }) },
    }
  }

  #stamped(host: Given<T>, virtual: Given<T>): T {
    const pair = { host: asItsType<T>(host), virtual: asItsType<T>(virtual) }
    return this.#remembered?.stamped(pair) ?? pair.host
  }

  /** The copy with its last synced state, where it is missing or was changed by hand. */
  #restamped(host: Given<T>, virtual: Given<T>): T | undefined {
    const stamped = this.#stamped(host, virtual)
    return stamped === host ? undefined : stamped
  }

  /** The labels and annotations of either object that belong to both. */
  #crossing(
    { metadata }: T,
    labels: Record<string, string> = {},
  ): Pick<ObjectMeta, 'labels' | 'annotations'> {
    const excluded = this.#excluded
    return {
      labels: only(
        labels,
        (key, value) => this.#acceptsLabel(key) && this.#crossesAs(this.#naming.scheme.hostKey(key), value),
      ),
      annotations: only(
        metadata.annotations ?? {},
        (key) => crossesUp(key) && !excluded.has(key) && this.#acceptsAnnotation(key),
      ),
    }
  }

  #crossesAs(hostKey: string | undefined, value: string): boolean {
    return hostKey !== undefined && !isHelmRecord(hostKey, value)
  }

  #content(source: T): T {
    return this.#references.toHost(hostContent(this.resource, source))
  }

  #hostKeyOf(virtual: T): Key {
    const key = keyOf(virtual)
    const hostKey = this.virtualToHost(key, virtual)
    if (hostKey) return hostKey
    throw new PluginError(
      'NO_HOST_NAME',
      `${this.resource.kind} ${formatKey(key)} has no host name, so it cannot be translated. ` +
        `Return a name from ${this.name}.virtualToHost, or do not call translateMetadata for this object.`,
    )
  }

  #labels(virtual: T, host?: T): Record<string, string> {
    const options = {
      scheme: this.#naming.scheme,
      marker: this.#naming.marker,
      accepts: this.#acceptsLabel,
    }
    return hostLabels(virtual, host, options)
  }

  #annotations(virtual: T, { hostKey, host }: { hostKey: Key; host?: T }): Record<string, string> {
    return hostAnnotations(virtual, host, {
      hostKey,
      resource: this.resource,
      excluded: this.#excluded,
      accepts: this.#acceptsAnnotation,
    })
  }
}

/**
 * Annotations that a tool has written for its own side, and the ownership annotations, stay there. `kubectl
 * apply` compares with what it applied on the same side.
 */
const crossesUp = (key: string) =>
  !isOwnershipKey(key) && key !== 'kubectl.kubernetes.io/last-applied-configuration'

/** `fromEntries` defines members and never assigns them: a key such as `__proto__` stays a key. */
function only(
  record: Record<string, string>,
  belongs: (key: string, value: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).filter(([key, value]) => belongs(key, value)))
}
