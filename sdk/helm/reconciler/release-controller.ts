import type { Cluster } from '../../cluster/cluster.js'
import type { ReconcileResult } from '../../controller/reconcile-result.js'
import type { ReleaseView } from '../../inspector/release-view.js'
import type { DeepReadonly } from '../../kube/deep-readonly.js'
import { type Key, keyOf } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import { formatResource, type Resource } from '../../kube/resource.js'
import type { UnitEnvironment, UnitVCluster } from '../../manager/unit-source.js'
import type { ControllerContext } from '../../operator/controller/context.js'
import type { Clock } from '../../time/clock.js'
import { AnnotationReader } from '../annotations/annotation-reader.js'
import { hashedName, hostReleaseName, releaseNameOf } from '../release/release-name.js'
import { ReleaseStore } from '../release/release-store.js'
import { defaultRenderer } from '../render/default-renderer.js'
import type { ChartRenderer, Lookup } from '../render/renderer.js'
import { ServedKinds } from './capabilities.js'
import { Dependents, type FollowedRelease } from './dependents.js'
import { DriftFinder } from './drift-finder.js'
import { finalizeRelease } from './finalize-release.js'
import type { FollowedKind } from './followed-kinds.js'
import { IgnoredFields } from './ignored-fields.js'
import { isPaused } from './is-paused.js'
import { LiveObjects } from './live-objects.js'
import type { HelmReconcilerOptions } from './options.js'
import { ReleaseSeed } from './random-seed.js'
import { type Reconciled, reconcileRelease } from './reconcile-release.js'
import { redactedContext } from './redacted-context.js'
import { notedLookup, releaseLookup } from './release-lookup.js'
import type { ReconcileRun } from './release-run.js'
import { readReleaseView } from './release-view.js'
import { SecretTexts } from './secret-texts.js'
import type { HelmResource } from './values-context.js'

/** The clusters of the objects and of their releases. */
export interface ReleaseClusters {
  readonly cluster: Cluster
  readonly target: Cluster
}

/** The parts that a reconciler has while its program runs. */
interface Opened extends ReleaseClusters {
  readonly clock: Clock
  readonly kinds: ServedKinds
  /** The vcluster, for releases on its host. */
  readonly vcluster: UnitVCluster | undefined
  /** The name of the release of the vcluster, if releases are on its host. */
  readonly reservedName: string | undefined
}

/** Reconciles the releases of one kind. */
export class ReleaseController {
  readonly #options: HelmReconcilerOptions
  readonly #resource: Resource<HelmResource>
  readonly #holder: string
  readonly #annotations: AnnotationReader
  readonly #dependents = new Dependents()
  readonly #drift: DriftFinder
  readonly #toldRandom = new Set<string>()
  #opened: Opened | undefined
  #renderer: Promise<ChartRenderer> | undefined

  constructor(options: HelmReconcilerOptions, resource: Resource<HelmResource>, holder: string) {
    this.#options = options
    this.#resource = resource
    this.#holder = holder
    this.#annotations = new AnnotationReader(options.annotations)
    this.#drift = new DriftFinder(new IgnoredFields(options.ignoreDrift))
  }

  /** The keys whose objects changed. */
  get triggers$() {
    return this.#dependents.triggers$
  }

  /** Called with the clusters when the program starts. Watches and the renderer end with the program. */
  open(
    { cluster, target }: ReleaseClusters,
    { clock, abort, vcluster }: Pick<UnitEnvironment, 'clock' | 'abort' | 'vcluster'>,
  ): void {
    const isOnHost = target !== cluster && target.name === 'host'
    const kinds = new ServedKinds(target, clock)
    const reservedName = target.name === 'host' ? vcluster?.name : undefined
    this.#opened = { cluster, target, clock, kinds, vcluster: isOnHost ? vcluster : undefined, reservedName }
    abort.addEventListener('abort', () => void this.#close(), { once: true })
  }

  /** One run of an object that is not being deleted. */
  async reconcile(
    ctx: ControllerContext<HelmResource>,
    object: DeepReadonly<HelmResource>,
  ): Promise<ReconcileResult | undefined> {
    const run = this.#runOf(ctx, object)
    if (!ctx.selected) return this.#release(run)
    if (await isPaused(run, { ctx, resource: object })) return this.#period(run)
    const end = await reconcileRelease(run, { resource: object, renderer: await this.#rendererOf() })
    this.#follow(run, end)
    return end.result ?? this.#period(run)
  }

  #follow({ ctx, release }: ReconcileRun, { objects, hook, isWaiting = false }: Reconciled): void {
    const mayWatch = this.#options.watchDependentResources !== false
    const followed: FollowedRelease = { key: ctx.key, release, isWaiting, ...(mayWatch && { objects, hook }) }
    for (const one of this.#dependents.follow(this.#opening.target, followed))
      ctx.events.warning('WatchForbidden', forbiddenSentence(one))
  }

  /** One run of an object that is being deleted. */
  async finalize(
    ctx: ControllerContext<HelmResource>,
    object: DeepReadonly<HelmResource>,
  ): Promise<ReconcileResult | undefined> {
    const run = this.#runOf(ctx, object)
    const { result, ...end } = await finalizeRelease(run, object)
    if (end.isWaiting) this.#follow(run, end)
    if (result) return result
    this.#dependents.forget({ key: ctx.key, release: run.release })
    return undefined
  }

  /** Called for an object that is no longer selected. Its release stays, without an owner. */
  async #release(run: ReconcileRun): Promise<undefined> {
    const revisions = await run.store.revisions(run.release.namespace, run.release.name, run.ctx.signal)
    for (const revision of revisions) {
      if (revision.owner !== run.owner.uid) continue
      await run.store.update({ ...revision, owner: undefined, ownerReferences: [] }, run.ctx.signal)
    }
    this.#dependents.forget({ key: run.ctx.key, release: run.release })
  }

  /** The release of an object, for the inspector. */
  view(object: KubeObject): Promise<ReleaseView> {
    const { cluster, target, kinds, clock, vcluster } = this.#opening
    const key = keyOf(object)
    return readReleaseView({
      ...{ client: target.client, clock, kinds, drift: this.#drift, release: this.#releaseOf(key) },
      target: { cluster: target.name, reference: vcluster?.owner() },
      owner: { cluster: cluster.name, resource: this.#resource, key, uid: object.metadata.uid ?? '' },
    })
  }

  #period({ annotations }: ReconcileRun): ReconcileResult | undefined {
    const { reconcilePeriodMs } = annotations
    return reconcilePeriodMs ? { requeueAfterMs: reconcilePeriodMs } : undefined
  }

  #runOf(ctx: ControllerContext<HelmResource>, object: DeepReadonly<HelmResource>): ReconcileRun {
    const { cluster, target, kinds, vcluster, reservedName } = this.#opening
    const { client } = target === cluster ? ctx : ctx.cluster(target.name)
    const { signal } = ctx
    const { options: annotations, problems } = this.#annotations.read(object as HelmResource)
    for (const problem of problems) ctx.events.warning('BadAnnotation', `${problem}; the default holds`)
    const { uid = '' } = object.metadata
    // Tenants write the custom resources, but must not choose what is installed on the host.
    const options = vcluster ? { ...this.#options, allow: this.#options.allow ?? {} } : this.#options
    const release = this.#releaseOf(ctx.key)
    const nowMs = () => ctx.clock.date().getTime()
    const secretTexts = new SecretTexts(release.name, release.namespace, ctx.key.name, ctx.key.namespace)
    return {
      ...{
        ctx: redactedContext(ctx, secretTexts),
        secretTexts,
        annotations,
        kinds,
        drift: this.#drift,
        options,
        holder: this.#holder,
      },
      target: {
        cluster: target.name,
        reference: vcluster?.owner(),
        vcluster: vcluster?.name,
        reservedName,
        client,
        signal,
      },
      store: new ReleaseStore(client, nowMs),
      ...{ seed: new ReleaseSeed(client, release, nowMs), toldRandom: this.#toldRandom },
      live: new LiveObjects(client, signal),
      owner: { cluster: cluster.name, resource: this.#resource, key: ctx.key, uid },
      release,
      lookup: notedLookup(this.#lookupOf(ctx, release), secretTexts),
    }
  }

  #lookupOf(ctx: ControllerContext<HelmResource>, release: ReconcileRun['release']): Lookup {
    const { cluster, target, vcluster } = this.#opening
    const { allow, virtualNames = false } = this.#options
    const onRefused = (reason: string) => ctx.events.warning('LookupRefused', reason)
    const seenIn = (seen: Cluster) => ({
      client: seen === cluster ? ctx.client : ctx.cluster(seen.name).client,
      served: (apiVersion: string) => seen.served(apiVersion),
    })
    if (virtualNames) {
      const { namespace } = ctx.key
      return releaseLookup({
        ...{ cluster: seenIn(cluster), release: { ...release, namespace }, policy: undefined, onRefused },
      })
    }
    // Tenants write the values, and a template could print what it finds on the host.
    const policy = vcluster && !allow ? { kinds: [] } : allow
    return releaseLookup({ cluster: seenIn(target), release, policy, onRefused })
  }

  #releaseOf(key: Key): ReconcileRun['release'] {
    const { targetNamespace, releaseName = 'name' } = this.#options
    const named = { kind: this.#resource.kind, group: this.#resource.group, ...key }
    const { vcluster } = this.#opening
    if (vcluster) {
      const namespace = targetNamespace ?? vcluster.targetNamespace
      return { namespace, name: hostReleaseName(named, vcluster.name) }
    }
    const name = releaseName === 'name-hash' ? hashedName(named) : releaseNameOf(named)
    return { namespace: targetNamespace ?? key.namespace, name }
  }

  get #opening(): Opened {
    if (!this.#opened)
      throw new Error(
        `the reconciler of ${this.#resource.kind} is not running: register it with an operator or a plugin, and start that`,
      )
    return this.#opened
  }

  #rendererOf(): Promise<ChartRenderer> {
    const { renderer, chart } = this.#options
    this.#renderer ??= renderer ? Promise.resolve(renderer) : defaultRenderer([chart])
    return this.#renderer
  }

  async #close(): Promise<void> {
    this.#dependents.close()
    const renderer = await this.#renderer?.catch(() => undefined)
    this.#renderer = undefined
    if (!this.#options.renderer) await renderer?.close()
  }
}

const forbiddenSentence = ({ resource, namespace }: FollowedKind) =>
  `the program may not list and watch ${formatResource(resource)}${namespace && ` in ${namespace}`}: changes of such objects are found once per ` +
  'period; permit it, or set watchDependentResources to false'
