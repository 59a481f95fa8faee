import type { Subject } from 'rxjs'
import type { Cluster } from '../../../engine/cluster/cluster.js'
import type { Key } from '../../../engine/kube/key.js'
import { formatResource } from '../../../engine/kube/resource.js'
import type { Clock } from '../../../engine/time/clock.js'
import { type ReleaseRunEnd, recheckMs } from '../operation/release-run-end.js'
import { type MissingDependency, missingIn } from '../problem/missing-dependency.js'
import { IrreconcilableError } from '../problem/problem.js'
import type { ReconcileRun } from '../run/release-run.js'
import { Dependents } from './dependents.js'
import type { FollowedKind } from './followed-kinds.js'
import { inTheWayOf } from './in-the-way.js'
import { MissingWatches } from './missing-watches.js'
import { ReadinessChanges } from './readiness-changes.js'

/** Options of {@link ReleaseWatches}. */
export interface ReleaseWatchesOptions {
  readonly clock: Clock
  /** Whether changes of the objects of a release run its key. */
  readonly mayWatch: boolean
  /** The keys that run. */
  readonly triggers$: Subject<Key>
}

/**
 * Watches everything in the clusters of releases whose change runs a key: objects, records, missing things and foreign
 * objects. Each `ReleaseController` has one, and runs its keys by `runWatched`.
 */
export class ReleaseWatches {
  readonly #mayWatch: boolean
  readonly #dependents: Dependents
  readonly #readiness: ReadinessChanges
  readonly #missing: MissingWatches

  constructor({ clock, mayWatch, triggers$ }: ReleaseWatchesOptions) {
    const trigger = (key: Key) => triggers$.next(key)
    this.#mayWatch = mayWatch
    this.#readiness = new ReadinessChanges(clock, trigger)
    this.#missing = new MissingWatches(clock, trigger)
    this.#dependents = new Dependents((...args) => this.#readiness.noteObject(...args))
    this.#dependents.triggers$.subscribe(trigger)
  }

  /**
   * Calls `work`, which does a run, and watches the objects of the release afterwards. The key runs again after changes
   * that the run did not see, when a missing thing exists for which the run failed or waits, and when a taken name
   * becomes free.
   */
  async runWatched(
    run: ReconcileRun,
    cluster: Cluster,
    work: () => Promise<ReleaseRunEnd>,
  ): Promise<ReleaseRunEnd> {
    const { key } = run.ctx
    const release = `${cluster.name} ${run.release.namespace}/${run.release.name}`
    this.#readiness.begin({ key, release, client: cluster.client })
    try {
      const end = await work()
      this.#watchMissing(run, cluster, end.missing ? [end.missing] : [])
      this.follow(run, cluster, end)
      const cannotWatch = end.missing && !this.#missing.mayWatch(cluster, end.missing)
      return cannotWatch ? { ...end, result: { requeueAfterMs: recheckMs } } : end
    } catch (error) {
      const missing = missingIn(error, cluster.name === run.owner.cluster ? key.namespace : undefined)
      this.#watchMissing(run, cluster, [...(missing ? [missing] : []), ...inTheWayOf(run, error)])
      const isTaken = error instanceof IrreconcilableError && error.reason === 'ReleaseNameTaken'
      if (isTaken) this.#dependents.awaitName(cluster, { key, release: run.release })
      throw error
    } finally {
      this.#readiness.end(release, run.readiness.objects ?? [])
    }
  }

  /** Watches the objects and the records of a release. */
  follow({ ctx, release }: ReconcileRun, cluster: Cluster, end: ReleaseRunEnd): void {
    const { objects, hook, isWaiting = false } = end
    const followed = { key: ctx.key, release, isWaiting, ...(this.#mayWatch && { objects, hook }) }
    for (const kind of this.#dependents.follow(cluster, followed))
      ctx.events.warning('WatchForbidden', forbiddenSentence(kind))
  }

  /** Stops checking the readiness of a paused release until its next run. */
  pause(key: Key): void {
    this.#readiness.forget(key)
  }

  /** Ends the watches that only this key needs. */
  forget(key: Key): void {
    this.#dependents.forget({ key })
    this.#readiness.forget(key)
    this.#missing.forget(key)
  }

  /** Ends all watches. */
  close(): void {
    this.#dependents.close()
    this.#readiness.close()
    this.#missing.close()
  }

  /** Watches for things that the cluster lacks. Reports watches that the API server forbids, once. */
  #watchMissing({ ctx }: ReconcileRun, cluster: Cluster, dependencies: readonly MissingDependency[]): void {
    for (const missing of this.#missing.watchFor(ctx.key, cluster, dependencies))
      if (!missing.isOptional) ctx.events.warning('WatchForbidden', missingSentence(missing))
  }
}

const missingSentence = ({ what, resource }: MissingDependency) =>
  `the program may not list and watch ${formatResource(resource)}, so it asks with growing delays whether ${what} is there; grant both verbs`

const forbiddenSentence = ({ resource, namespace }: FollowedKind) =>
  `the program may not list and watch ${formatResource(resource)}${namespace && ` in ${namespace}`}, so it finds changes of such objects only once ` +
  'per period; grant both verbs, or set watchDependentResources to false'
