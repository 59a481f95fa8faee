import { Subject } from 'rxjs'
import type { ReconcileResult } from '../../engine/controller/reconcile-result.js'
import type { ReleaseView } from '../../engine/inspector/release-view.js'
import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import { type Key, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { UnitEnvironment } from '../../engine/manager/unit-source.js'
import type { ControllerContext } from '../../operator/controller/context.js'
import { AnnotationReader } from '../annotations/annotation-reader.js'
import { ReleaseStore } from '../release/release-store.js'
import { LocationFinder, type LocationSearch } from '../target/location-finder.js'
import type { ReleaseLocation } from '../target/release-location.js'
import type { TargetError } from '../target/target-error.js'
import { disownRelease } from './disown-release.js'
import { finalizeRelease, giveUp } from './finalize-release.js'
import { ReleaseWatches } from './following/release-watches.js'
import { keepRelease } from './keep-release.js'
import { LazyRenderer } from './lazy-renderer.js'
import { IgnoredFields } from './objects/ignored-fields.js'
import type { HelmControllerOptions } from './options/options.js'
import type { HelmResource } from './options/values-context.js'
import { IrreconcilableError } from './problem/problem.js'
import { reconcileRelease } from './reconcile-release.js'
import { readReleaseView } from './release-view.js'
import { deleteSeed } from './run/random-seed.js'
import type { ReconcileRun } from './run/release-run.js'
import { runOf } from './run/run-of.js'
import {
  forgetRelease,
  locationRules,
  openTargets,
  type ReleaseClusters,
  type TargetCluster,
} from './run/target-clusters.js'
import type { RunningParts } from './running-parts.js'
import { isPaused } from './status/is-paused.js'
import { asIrreconcilable, reportIrreconcilable } from './status/report.js'
import { withRetry } from './status/retry-time.js'

type Context = ControllerContext<HelmResource>
type RequestingObject = DeepReadonly<HelmResource>

/** Reconciles the releases of one kind. `helmController` calls it for each run of a custom resource. */
export class ReleaseController {
  /** The keys whose releases changed, or may continue. */
  readonly triggers$ = new Subject<Key>()
  readonly #options: HelmControllerOptions
  readonly #resource: Resource<HelmResource>
  readonly #holder: string
  readonly #annotations: AnnotationReader
  readonly #ignored: IgnoredFields
  readonly #reportedRandom = new Set<string>()
  readonly #renderer: LazyRenderer
  #runningParts: RunningParts | undefined

  constructor(options: HelmControllerOptions, resource: Resource<HelmResource>, holder: string) {
    this.#options = options
    this.#resource = resource
    this.#holder = holder
    this.#annotations = new AnnotationReader(options.annotations)
    this.#ignored = new IgnoredFields(options.ignoreDrift)
    this.#renderer = new LazyRenderer(options)
  }

  /** Called with the clusters when the program starts. Watches and the renderer end with the program. */
  open(clusters: ReleaseClusters, program: Pick<UnitEnvironment, 'clock' | 'abort' | 'vcluster'>): void {
    const { clock, abort, vcluster } = program
    const mayWatch = this.#options.watchDependentResources !== false
    this.#runningParts = {
      cluster: clusters.cluster,
      clock,
      watches: new ReleaseWatches({ clock, mayWatch, triggers$: this.triggers$ }),
      targets: openTargets(clusters, { ...program, ignored: this.#ignored }),
      locations: new LocationFinder(
        locationRules(clusters, this.#options, { resource: this.#resource, vcluster }),
      ),
    }
    abort.addEventListener('abort', () => void this.#close(), { once: true })
  }

  /** One run of an object that is not being deleted. */
  async reconcile(ctx: Context, object: RequestingObject): Promise<ReconcileResult | undefined> {
    if (!ctx.selected) return this.#disown(ctx, object)
    const annotations = this.#annotationsOf(ctx, object)
    const periodMs = annotations.reconcilePeriodMs
    const period = periodMs ? { requeueAfterMs: periodMs } : undefined
    const { watches, locations } = this.#parts
    if (await isPaused({ ctx, options: this.#options }, { ctx, resource: object })) {
      watches.pause(ctx.key)
      return period
    }
    const { location, problem, abandonedSeeds } = await this.#findLocation(ctx, object)
    for (const abandoned of abandonedSeeds)
      await deleteSeed(this.#clientOf(ctx, abandoned.cluster), { release: abandoned, owner: ownerOf(object) })
    const run = this.#runOf(ctx, object, { location, annotations })
    const end = await watches.runWatched(run, this.#targetOf(location.cluster).cluster, async () =>
      problem
        ? keepRelease(run, problem, { resource: object, renderer: () => this.#renderer.get() })
        : reconcileRelease(run, { resource: object, renderer: await this.#renderer.get() }),
    )
    locations.remember(object, location)
    return end.result ?? period
  }

  /** Finds the location of the release. Reports an error in a condition and an Event before it rejects. */
  async #findLocation(ctx: Context, object: RequestingObject) {
    try {
      const { problem, ...location } = await this.#parts.locations.find(object, this.#searchOf(ctx))
      return { ...location, problem: problem && irreconcilableError(problem) }
    } catch (error) {
      const reported = asIrreconcilable(error)
      reportIrreconcilable({ ctx }, reported)
      const { options: annotations } = this.#annotations.read(object as HelmResource)
      throw withRetry({ options: this.#options, annotations }, reported)
    }
  }

  /** One run of an object that is being deleted. */
  async finalize(ctx: Context, object: RequestingObject): Promise<ReconcileResult | undefined> {
    const annotations = this.#annotationsOf(ctx, object)
    for (const location of await this.#locationsToClean(ctx, object)) {
      const run = this.#runOf(ctx, object, { location, annotations })
      const { result, ...end } = await finalizeRelease(run, object, () => this.#renderer.get())
      if (end.isWaiting) this.#parts.watches.follow(run, this.#targetOf(location.cluster).cluster, end)
      if (result) return result
    }
    this.forget(ctx.key)
    return undefined
  }

  /** The locations that may have a release of the object; none if that cannot be found out and it is given up. */
  async #locationsToClean(ctx: Context, object: RequestingObject): Promise<readonly ReleaseLocation[]> {
    try {
      return await this.#parts.locations.findAll(object, this.#searchOf(ctx))
    } catch (error) {
      const annotations = this.#annotations.read(object as HelmResource).options
      reportIrreconcilable({ ctx }, error)
      giveUp({ ctx, annotations, options: this.#options }, object, { error, name: `of ${ctx.key.name}` })
      return []
    }
  }

  /** Called for an object that is no longer selected. Its release stays, without an owner. */
  async #disown(ctx: Context, object: RequestingObject): Promise<undefined> {
    const annotations = this.#annotations.read(object as HelmResource).options
    for (const location of await this.#parts.locations.findAll(object, this.#searchOf(ctx)))
      await disownRelease(this.#runOf(ctx, object, { location, annotations }))
    this.forget(ctx.key)
  }

  /** Forgets an object that is gone, or whose release does not belong to it any more. */
  forget(key: Key): void {
    this.#runningParts?.watches.forget(key)
    const location = this.#runningParts?.locations.forget(key)
    if (!location) return
    forgetRelease(this.#targetOf(location.cluster), location)
    this.#reportedRandom.delete(`${location.namespace}/${location.name}`)
  }

  /** The release of an object, for the inspector. */
  async view(object: KubeObject): Promise<ReleaseView> {
    const { cluster, clock, locations } = this.#parts
    const clientOf = (name: string) => this.#targetOf(name).cluster.client
    const { location } = await locations.searchOne(object, { clientOf, isOwn: async () => false })
    const { kinds, drift, vcluster } = this.#targetOf(location.cluster)
    const { uid } = ownerOf(object)
    return readReleaseView({
      client: clientOf(location.cluster),
      clock,
      kinds,
      drift,
      release: { name: location.name, namespace: location.namespace },
      target: { cluster: location.cluster, reference: vcluster?.owner() },
      owner: { cluster: cluster.name, resource: this.#resource, key: keyOf(object), uid },
    })
  }

  /** The parts of a run of the object, for the release in a location. */
  #runOf(
    ctx: Context,
    object: RequestingObject,
    { location, annotations }: Pick<ReconcileRun, 'annotations'> & { location: ReleaseLocation },
  ): ReconcileRun {
    const { cluster } = this.#parts
    const target = this.#targetOf(location.cluster)
    const { uid } = ownerOf(object)
    return runOf({
      ctx,
      target,
      annotations,
      cluster,
      options: this.#options,
      holder: this.#holder,
      client: this.#clientOf(ctx, location.cluster),
      reportedRandom: this.#reportedRandom,
      owner: { cluster: cluster.name, resource: this.#resource, key: ctx.key, uid },
      release: { name: location.name, namespace: location.namespace },
    })
  }

  #annotationsOf(ctx: Context, object: RequestingObject): ReconcileRun['annotations'] {
    const { options, problems } = this.#annotations.read(object as HelmResource)
    for (const problem of problems) ctx.events.warning('BadAnnotation', `${problem}; the default holds`)
    return options
  }

  #searchOf(ctx: Context): LocationSearch {
    const clientOf = (name: string) => this.#clientOf(ctx, name)
    const isOwn = async ({ cluster, namespace, name }: ReleaseLocation, uid: string) => {
      const revisions = await this.#storeOf(ctx, cluster).revisions(namespace, name, ctx.signal)
      return revisions.some(({ owner }) => owner === uid)
    }
    return { clientOf, isOwn, signal: ctx.signal }
  }

  #clientOf(ctx: Context, name: string) {
    return name === this.#parts.cluster.name ? ctx.client : ctx.cluster(name).client
  }

  #storeOf(ctx: Context, cluster: string): ReleaseStore {
    const { records } = this.#targetOf(cluster)
    return new ReleaseStore(this.#clientOf(ctx, cluster), () => ctx.clock.date().getTime(), records)
  }

  #targetOf(name: string): TargetCluster {
    const target = this.#parts.targets.get(name)
    if (!target) throw new Error(`releases of ${this.#resource.kind} do not go to the cluster ${name}`)
    return target
  }

  /** The parts that exist while the program runs. Throws before `open`. */
  get #parts(): RunningParts {
    if (!this.#runningParts)
      throw new Error(
        `the reconciler of ${this.#resource.kind} is not running: register it with an operator or a plugin, and start that`,
      )
    return this.#runningParts
  }

  async #close(): Promise<void> {
    this.#runningParts?.watches.close()
    await this.#renderer.close()
  }
}

const ownerOf = ({ metadata: { uid = '' } }: DeepReadonly<KubeObject>) => ({ uid })

const irreconcilableError = (problem: TargetError) =>
  new IrreconcilableError(problem.reason, problem.message, { cause: problem })
