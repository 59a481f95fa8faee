/**
 * vcluster's own syncer of a kind, as the stand-in process plays it: what it reads and writes is shown to the plugins'
 * hooks, in the order in which running vclusters were seen to do it.
 *
 * It promises vcluster's names and marks, that deletions go both ways as they do there, that virtual objects are deleted and
 * created anew where vcluster does so, and what flows back: up to 0.19 status, and what only the host decides, since 0.21
 * also labels, annotations, data and most of a Service. It leaves queue, caches and retries to the SDK's own rooms.
 * See pkg/controllers/syncer/syncer.go @ v0.19.10 and pkg/syncer/syncer.go @ v0.36.1 of vcluster.
 */
import type { RegisterContext, Side } from '../../sdk/context/register-context.js'
import type { SyncContext } from '../../sdk/context/sync-context.js'
import { isConflict } from '../../sdk/kube/error.js'
import { jsonEqual } from '../../sdk/kube/json.js'
import { formatKey, type Key, keyOf } from '../../sdk/kube/key.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import { isControlledByOther, isForceSynced } from '../../sdk/ownership/ownership.js'
import type { Outcome } from '../../sdk/syncer/outcome.js'
import type { PlainPair as Pair } from '../../sdk/syncer/syncer.js'
import { NamespacedTranslator } from '../../sdk/syncer/translator/namespaced-translator.js'
import type { Watches } from '../../sdk/syncer/watches.js'
import type { VClusterVersion } from '../vcluster-options.js'
import { asNew } from './as-new.js'
import { blockDeletion, waitsForOriginal } from './block-deletion.js'
import { withFieldsOf } from './field-path.js'
import { flowedTwoWays } from './flow-back.js'
import { followedDeletion } from './followed-deletion.js'
import { HookedCluster } from './hooked-cluster.js'
import type { KindRules } from './kind-rules.js'
import { type Left, LeftStates } from './left-states.js'
import { HookDenied, type PluginHooks } from './plugin-hooks.js'
import type { PodWants } from './pod-wants.js'
import { withStatusUp } from './status-up.js'

/** What a {@link MirrorSyncer} is made of. */
export interface MirrorSyncerOptions<T extends KubeObject> {
  rules: KindRules<T>
  hooks: PluginHooks
  version: VClusterVersion
  /** Tells which objects Pods refer to; `undefined` where all are mirrored. */
  wants: PodWants | undefined
}

type Clusters<T extends KubeObject> = Readonly<Record<Side, HookedCluster<T>>>

/** After how long a run is tried again that a hook denied, in milliseconds. */
const deniedRetryMs = 2000

/** See above. */
export class MirrorSyncer<T extends KubeObject> extends NamespacedTranslator<T> {
  override readonly keepsCopyOnNewUid: boolean
  readonly #options: MirrorSyncerOptions<T>
  readonly #vclusterName: string
  readonly #left = new LeftStates<T>()
  /** The keys whose next run a host object has rung. */
  readonly #rungByHost = new Set<string>()
  /** The keys of virtual objects that were there when it started, until their first run. */
  readonly #foundAtStart = new Set<string>()

  constructor(ctx: RegisterContext, options: MirrorSyncerOptions<T>) {
    const { name, resource, references, keepsCopy } = options.rules
    super(ctx, name, resource, references ? { references } : {})
    this.#options = options
    this.#vclusterName = ctx.vclusterName
    this.keepsCopyOnNewUid = keepsCopy
  }

  override async registerIndices(ctx: RegisterContext): Promise<void> {
    ctx.host.changes$(this.resource).subscribe(({ object }) => {
      const key = this.hostToVirtual(object)
      if (key) this.#rungByHost.add(formatKey(key))
    })
  }

  override modifyController(watches: Watches, ctx: RegisterContext): void {
    for (const virtual of ctx.virtual.store(this.resource).list())
      this.#foundAtStart.add(formatKey(keyOf(virtual)))
    this.#options.wants?.ring(watches, this.resource)
  }

  override excludeVirtual(virtual: T): boolean {
    const { exempt } = this.#options.rules
    const isExempt = exempt !== undefined && formatKey(exempt) === formatKey(keyOf(virtual))
    return isExempt || isControlledByOther(virtual, this.name)
  }

  override syncDown(ctx: SyncContext, given: T): Promise<Outcome | undefined> {
    return this.#deniable(ctx, given, async () => {
      const { virtual, host } = this.#clusters(ctx)
      if (this.#foundAtStart.delete(formatKey(ctx.key)) && !this.#isOld) await readTwice(virtual, given)
      const shown = await virtual.got(given)
      const isLeft = this.#left.of(ctx.key, shown) !== undefined
      if (isLeft || shown.metadata.deletionTimestamp) return this.#withoutCopy(virtual, shown)
      if (!this.#isWanted(shown)) return
      const created = await host.create(this.#copyOf(shown))
      if (this.#options.rules.statusUp && !this.#isOld) await host.got(created)
      this.#leave(ctx.key, { virtual: shown, host: created })
    })
  }

  override sync(ctx: SyncContext, given: Pair<T>): Promise<Outcome | undefined> {
    return this.#deniable(ctx, given.virtual, async () => {
      const clusters = this.#clusters(ctx)
      const shown = await this.#shown(ctx.key, clusters, given)
      if (await followedDeletion(clusters, shown)) return
      if (!this.#isWanted(shown.virtual)) return clusters.host.delete(shown.host)
      if (this.#options.rules.isWaiting?.(shown)) return
      if (await this.#recreated(ctx.key, clusters, shown)) return
      if (await this.#putUpFirst(clusters, given, shown)) return
      const wanted = this.#flowed(ctx.key, shown)
      const virtual = await this.#putVirtual(clusters.virtual, { given, shown, wanted: wanted.virtual })
      const host = await this.#put(clusters.host, {
        given: given.host,
        shown: shown.host,
        wanted: wanted.host,
      })
      this.#leave(ctx.key, { virtual, host })
    })
  }

  override syncUp(ctx: SyncContext, given: T): Promise<Outcome | undefined> {
    return this.#deniable(ctx, undefined, async () => {
      const { host } = this.#clusters(ctx)
      const shown = await host.got(given)
      if (shown.metadata.deletionTimestamp || waitsForOriginal(shown)) return
      await host.delete(shown)
      this.#left.delete(ctx.key)
      // Up to 0.19 the copy's own key was rung, too, and mostly before the cache knew that it was gone.
      if (this.#isOld) await host.got(given)
    })
  }

  /** Up to 0.19 the copy is made again; since then its original goes with it. */
  async #withoutCopy(virtual: HookedCluster<T>, shown: T): Promise<void> {
    this.#left.delete(keyOf(shown))
    const isPod = this.resource.kind === 'Pod'
    // What finalizers hold would be deleted again and again.
    if (shown.metadata.deletionTimestamp && !isPod) return
    await virtual.delete(shown, isPod ? { gracePeriodSeconds: 0 } : {})
  }

  /** Whether the virtual object was deleted and created anew, up to 0.19 with what only the host decides. The next run goes on. */
  async #recreated(key: Key, { virtual }: Clusters<T>, shown: Pair<T>): Promise<boolean> {
    const { recreated, upFirst } = this.#options.rules
    const before = this.#isOld && upFirst ? upFirst(shown) : shown.virtual
    const anew = recreated?.({ ...shown, virtual: before })
    if (!anew) return false
    await virtual.delete(shown.virtual)
    this.#left.carryOver(key, shown.virtual, await virtual.create(asNew(anew)))
    return true
  }

  /** Whether the virtual object was written, up to 0.19, because of what the host alone decides. */
  async #putUpFirst({ virtual }: Clusters<T>, given: Pair<T>, shown: Pair<T>): Promise<boolean> {
    const wanted = this.#isOld ? this.#options.rules.upFirst?.(shown) : undefined
    if (!wanted || jsonEqual(shown.virtual, wanted)) return false
    await this.#put(virtual, { given: given.virtual, shown: shown.virtual, wanted })
    return true
  }

  #clusters(ctx: SyncContext): Clusters<T> {
    const { hooks, version } = this.#options
    const parts = { ctx, resource: this.resource, hooks, version }
    return {
      virtual: new HookedCluster({ ...parts, side: 'virtual' }),
      host: new HookedCluster({ ...parts, side: 'host' }),
    }
  }

  /** Both sides as they are read: up to 0.19 a key that a host object rang begins with that object, twice. */
  async #shown(key: Key, { virtual, host }: Clusters<T>, given: Pair<T>): Promise<Pair<T>> {
    const rungByHost = this.#rungByHost.delete(formatKey(key))
    if (!this.#isOld || !rungByHost) {
      return { virtual: await virtual.got(given.virtual), host: await host.got(given.host) }
    }
    await host.got(given.host)
    return { host: await host.got(given.host), virtual: await virtual.got(given.virtual) }
  }

  #flowed(key: Key, shown: Pair<T>): Pair<T> {
    const { twoWay, downAlone = ({ virtual, host }) => withFieldsOf(host, virtual, twoWay) } =
      this.#options.rules
    const left = this.#left.of(key, shown.virtual)
    const flowed = this.#isOld
      ? { virtual: shown.virtual, host: downAlone(shown) }
      : flowedTwoWays({ ...shown, left, fields: twoWay, labelsUp: (host) => this.virtualLabels(host) })
    return { virtual: flowed.virtual, host: this.#translated(flowed) }
  }

  #translated({ virtual, host }: Pair<T>): T {
    const { labels, annotations } = this.translateMetadataUpdate(host, virtual)
    const updated = this.#options.rules.updated(host, this.#copyOf(virtual))
    const { [blockDeletion]: _, ...kept } = annotations
    return { ...updated, metadata: { ...host.metadata, labels, annotations: kept } }
  }

  #copyOf(virtual: T): T {
    return this.#options.rules.created(this.translateMetadata(virtual), this.#vclusterName)
  }

  async #putVirtual(
    virtual: HookedCluster<T>,
    { given, shown, wanted }: { given: Pair<T>; shown: Pair<T>; wanted: T },
  ): Promise<T> {
    const written = await this.#put(virtual, { given: given.virtual, shown: shown.virtual, wanted })
    const withStatus = withStatusUp(this.#options.rules, shown, written)
    if (!withStatus) return written
    if (!this.#isOld) await virtual.got(given.virtual)
    return virtual.update(withStatus, { status: true })
  }

  /** Answers the object as it stands, before the hooks. Since 0.21 it is read once more before it is written. */
  async #put(
    cluster: HookedCluster<T>,
    { given, shown, wanted }: { given: T; shown: T; wanted: T },
  ): Promise<T> {
    if (jsonEqual(shown, wanted)) return shown
    if (!this.#isOld) await cluster.got(given)
    return cluster.update(wanted)
  }

  #isWanted(virtual: T): boolean {
    const { wants } = this.#options
    return !wants || isForceSynced(virtual) || wants.has(this.resource, keyOf(virtual))
  }

  #leave(key: Key, left: Left<T>): void {
    if (!this.#isOld) this.#left.set(key, left)
  }

  get #isOld(): boolean {
    return this.#options.version === '0.19'
  }

  /** Tells the user of what fails. A denial is not tried again at once, as a vcluster would, so that a test comes to rest. */
  async #deniable(
    ctx: SyncContext,
    virtual: T | undefined,
    run: () => Promise<void>,
  ): Promise<Outcome | undefined> {
    try {
      await run()
      return undefined
    } catch (error) {
      const side = this.#isOld ? 'physical' : 'host'
      const message = `Error syncing to ${side} cluster: ${error instanceof Error ? error.message : String(error)}`
      const isNews = !isConflict(error) && !ctx.signal.aborted
      if (virtual && isNews) ctx.events.warning(virtual, 'SyncError', message)
      if (!(error instanceof HookDenied)) throw error
      ctx.logger.warn({ error }, 'a hook denied')
      return { requeueAfterMs: deniedRetryMs }
    }
  }
}

/** Since 0.21 what is there at the start is read twice more before its copy is made. */
async function readTwice<T extends KubeObject>(cluster: HookedCluster<T>, object: T): Promise<void> {
  await cluster.got(object)
  await cluster.got(object)
}
