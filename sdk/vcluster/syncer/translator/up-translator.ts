import { goneKindRetryMs, isKindGoing } from '../../../engine/cluster/is-kind-going.js'
import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { namespaces } from '../../../engine/kube/builtin.js'
import { asItsType, type DeepReadonly } from '../../../engine/kube/deep-readonly.js'
import { PermanentError } from '../../../engine/kube/error.js'
import { jsonEqual } from '../../../engine/kube/json.js'
import { formatKey, type Key, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { checkSpelling } from '../../../engine/manager/check-options.js'
import type { RegisterContext } from '../../context/register-context.js'
import { requireContext } from '../../context/require-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import { madeByLabel } from '../../naming/ownership-keys.js'
import { storedHost } from '../../ownership/host-objects.js'
import { hostContent, withFieldsOf, withoutStatus } from '../../ownership/translate-fields.js'
import { CopyContest } from '../contest/copy-contest.js'
import { DriftMetrics } from '../fields/drift-metrics.js'
import type { Permission } from '../permission.js'
import { type Pair, Syncer } from '../syncer.js'
import type { Watches } from '../watches.js'
import { checkTransformed } from './check-transformed.js'
import { definitionRights } from './definition-rights.js'
import { createKeyFilter } from './key-filter.js'
import { keysOfReplacedNamespaces$ } from './replaced-namespaces.js'
import { type UpTranslatorOptions, upTranslatorTypes } from './up-translator-options.js'
import { virtualCopyMetadata } from './virtual-metadata.js'
import { createVirtualCopy, deleteVirtualCopy, updateVirtualCopy } from './write-virtual-copy.js'

/**
 * A syncer whose originals are host objects: it keeps copies of them in the virtual cluster, and never writes to the
 * host. Subclasses decide with `isManaged` which host objects are originals, and with `hostToVirtual` and
 * `virtualToHost` which copy belongs to which original. The copy of a host object that is no longer an original is
 * deleted.
 *
 * A copy has the label `plugin.vcluster.loft.sh/managed-by` with the syncer's name: an object without it is never
 * changed. An edit of a copy by hand is reverted, and a deleted copy is created again.
 *
 * @example
 * ```ts
 * class SharedSecrets extends UpTranslator<Secret> {
 *   override isManaged = (host: Secret) => host.metadata.labels?.shared === 'true'
 *   override hostToVirtual = (host: Secret) => ({ namespace: 'default', name: keyOf(host).name })
 *   override virtualToHost = ({ name }: Key) => ({ namespace: ctx.targetNamespace, name })
 * }
 * plugin.register(new SharedSecrets(ctx, 'shared-secrets', secrets))
 * ```
 */
export abstract class UpTranslator<T extends KubeObject = KubeObject> extends Syncer<T> {
  override readonly originals = 'host'
  /** For custom kinds: the permission to read their definition. */
  override readonly permissions: readonly Permission[]
  readonly #ctx: RegisterContext
  readonly #acceptsLabel: (key: string) => boolean
  readonly #acceptsAnnotation: (key: string) => boolean
  readonly #createsNamespaces: boolean
  readonly #adopts: boolean
  readonly #driftMetrics: DriftMetrics
  readonly #contest: CopyContest

  constructor(ctx: RegisterContext, name: string, resource: Resource<T>, options: UpTranslatorOptions = {}) {
    requireContext(`the syncer ${name}`, ctx)
    checkSpelling(`the syncer ${name}`, options, upTranslatorTypes)
    super(name, resource)
    const { labels = {}, annotations = {}, createsNamespaces = true, adopts = false } = options
    this.#ctx = ctx
    this.permissions = definitionRights(resource)
    this.#acceptsLabel = createKeyFilter(labels)
    this.#acceptsAnnotation = createKeyFilter(annotations)
    this.#createsNamespaces = createsNamespaces
    this.#adopts = adopts
    this.#driftMetrics = new DriftMetrics({ name, metrics: ctx.metrics })
    this.#contest = new CopyContest((run) => this.#original(run), ctx.clock)
  }

  /** Whether a virtual object is a copy of this syncer: it has the syncer's label. */
  isCopy(virtual: DeepReadonly<T>): boolean {
    return virtual.metadata.labels?.[madeByLabel] === this.name
  }

  /** The part of an original that is copied. Override it to change something, but do not change `host`. */
  transform(host: DeepReadonly<T>): T {
    return asItsType<T>(host)
  }

  /** A new copy of a host object; see `virtualCopyMetadata`. `status` is left out. */
  translateMetadata(host: DeepReadonly<T>, key: Key): T {
    const source = this.#sourceOf(host)
    return { ...withoutStatus(hostContent(this.resource, source)), metadata: this.#metadata(source, { key }) }
  }

  /** The wanted update of an existing copy; `undefined` when it is up to date. */
  translateUpdate(host: DeepReadonly<T>, currentCopy: DeepReadonly<T>): T | undefined {
    const virtual = asItsType<T>(currentCopy)
    const source = this.#sourceOf(host)
    const { labels = {}, annotations = {} } = this.#metadata(source, { key: keyOf(virtual), virtual })
    const updated = withFieldsOf(virtual, hostContent(this.resource, source))
    const { metadata } = virtual
    const isSame =
      updated === virtual &&
      jsonEqual(metadata.labels ?? {}, labels) &&
      jsonEqual(metadata.annotations ?? {}, annotations)
    return isSame ? undefined : { ...updated, metadata: { ...metadata, labels, annotations } }
  }

  /** Enqueues the copies of a namespace that is created or deleted, because they must be created again with it. */
  override modifyController(watches: Watches): void {
    if (!this.resource.namespaced) return
    // This watch triggers no keys: it makes runs wait for the first list of namespaces.
    watches.watch(namespaces, { side: 'virtual', keysOf: () => [] })
    watches.add(keysOfReplacedNamespaces$(this, this.#ctx))
  }

  override syncUp(ctx: SyncContext, host: DeepReadonly<T>): Promise<ReconcileResult | undefined> {
    return this.syncUpCreate(ctx, this.translateMetadata(host, ctx.key))
  }

  override async sync(ctx: SyncContext, { host, virtual }: Pair<T>): Promise<ReconcileResult | undefined> {
    return this.syncUpUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }

  override async syncDown(ctx: SyncContext, virtual: DeepReadonly<T>): Promise<ReconcileResult | undefined> {
    if (!this.isCopy(virtual)) return undefined
    if (await isKindGoing(this.resource, { ...ctx, cluster: ctx.host }))
      return { requeueAfterMs: goneKindRetryMs }
    this.#logWithdrawn(ctx)
    return this.syncUpDelete(ctx, virtual)
  }

  /**
   * Creates a copy, and its namespace if it is missing. If another program deletes the copy each time, it is created
   * more and more rarely.
   */
  async syncUpCreate(ctx: SyncContext, newCopy: DeepReadonly<T>): Promise<ReconcileResult | undefined> {
    const copy = asItsType<T>(newCopy)
    const paused = this.#contest.pauseCreation(ctx, { copy, named: copy })
    if (paused) return paused
    const { isWritten, result } = await createVirtualCopy(ctx, this.resource, {
      virtual: copy,
      createsNamespaces: this.#createsNamespaces,
    })
    if (isWritten) this.#recordWrite(ctx)
    return result
  }

  /**
   * Updates a copy to what {@link translateUpdate} returned. A copy that can only be replaced (`immutable: true`,
   * another `type` of a Secret) is deleted, and the next run creates it again. Throws `PermanentError` if the virtual
   * object is not a copy of this syncer. If another program sets fields back each time, the copy is written more and
   * more rarely.
   */
  async syncUpUpdate(
    ctx: SyncContext,
    virtual: DeepReadonly<T>,
    updated: DeepReadonly<T> | undefined,
  ): Promise<ReconcileResult | undefined> {
    if (!this.#adopts && !this.isCopy(virtual)) throw this.#foreignObjectError(virtual)
    if (updated === undefined) return this.#driftMetrics.recordNoop(this.#original(ctx), virtual)
    const paused = this.#contest.pause(ctx, {
      copy: asItsType<T>(virtual),
      wanted: asItsType<T>(updated),
      named: asItsType<T>(virtual),
    })
    if (paused) return paused
    const pair = { virtual: asItsType<T>(virtual), updated: asItsType<T>(updated) }
    const { isWritten, result } = await updateVirtualCopy(ctx, this.resource, pair)
    if (isWritten) this.#recordWrite(ctx, virtual)
    return result
  }

  /** Deletes a copy in the state that was seen. Throws `PermanentError` if it is not a copy of this syncer. */
  async syncUpDelete(ctx: SyncContext, virtual: DeepReadonly<T>): Promise<undefined> {
    if (!this.isCopy(virtual)) throw this.#foreignObjectError(virtual)
    this.#contest.recordDeletion(ctx)
    return deleteVirtualCopy(ctx, this.resource, virtual)
  }

  #recordWrite(ctx: SyncContext, before?: KubeObject): void {
    const after = this.runsAfterOwnWrites ? undefined : ctx.virtual.store(this.resource).get(ctx.key)
    this.#driftMetrics.recordWrite(this.#original(ctx), { before, after })
    this.#contest.recordWrite(ctx, ctx.virtual.store(this.resource).get(ctx.key))
  }

  #original(ctx: SyncContext): T | undefined {
    const hostKey = this.virtualToHost(ctx.key)
    return hostKey && storedHost(this, ctx, hostKey)
  }

  /** The reason why a host object is not an original, for the log. */
  protected reasonAgainst(_host: T): string {
    return 'not an original by isManaged'
  }

  /** Logs that a copy is deleted although its original stays, because a user may miss the copy. */
  #logWithdrawn(ctx: SyncContext): void {
    const host = this.#original(ctx)
    if (!host || host.metadata.deletionTimestamp) return
    const fields = { host: formatKey(keyOf(host)), reason: this.reasonAgainst(host) }
    ctx.logger.info(fields, 'the host object is not shown any more; deleting its copy in the virtual cluster')
  }

  #metadata(source: T, { key, virtual }: { key: Key; virtual?: T }) {
    return virtualCopyMetadata(source, {
      key,
      virtual,
      madeBy: this.name,
      acceptsLabel: this.#acceptsLabel,
      acceptsAnnotation: this.#acceptsAnnotation,
    })
  }

  /** The transformed original under its own name. */
  #sourceOf(host: DeepReadonly<T>): T {
    const source = this.transform(host)
    checkTransformed(this.name, source)
    const { name, namespace } = host.metadata
    return {
      ...source,
      metadata: { ...source.metadata, ...(name && { name }), ...(namespace && { namespace }) },
    }
  }

  #foreignObjectError(virtual: KubeObject): PermanentError {
    return new PermanentError(
      `${this.resource.kind} ${formatKey(keyOf(virtual))} of the virtual cluster has the name of a copy that ${this.name} ` +
        `would make, and does not have its label ${madeByLabel}=${this.name}. Remove that object.`,
    )
  }
}
