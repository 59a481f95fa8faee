import minBy from 'lodash/minBy.js'
import type { Cluster } from '../../engine/cluster/cluster.js'
import type { Contest } from '../../engine/controller/contested-fields.js'
import type { ReconcileResult } from '../../engine/controller/reconcile-result.js'
import { isNotFound, PermanentError } from '../../engine/kube/error.js'
import { fewNames } from '../../engine/kube/few-names.js'
import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import { type ApplyRequest, keyOfIntent, placeId } from '../apply/apply-request.js'
import { checkIsObject } from '../apply/intent-error.js'
import { StoredCachedObjects } from '../controller/cached-objects.js'
import type { ApplyOptions, ClusterAccess, SharedFields } from '../controller/context.js'
import { isFinished, isLimitedJob, nameOfJob } from '../controller/finished-jobs.js'
import { declaredKind, ownedKind, type WiredController } from '../controller/wired-controller.js'
import { mayRefer, type Owner } from '../owner/owner.js'
import { ownedBy } from '../owner/owner-index.js'
import { awaitedBy, type IsAwaited, locatedNote } from '../prune/noted-locations.js'
import type { OwnedKind } from '../prune/owned-kind.js'
import { notedKind } from '../prune/owned-kinds.js'
import { hasKeepAnnotation, prune } from '../prune/prune.js'
import { checkReleasedFields, checkSelected, notOwnedError, notServedError } from './apply-problems.js'
import { type ForgottenOptions, finalizeForgotten, pruneForgotten } from './forgotten.js'
import type { PrimaryObject } from './primary-object.js'
import { RunApplies } from './run-applies.js'
import type { RunContext } from './run-context.js'

type WantedObject<O extends KubeObject> = Pick<ApplyRequest<O>, 'cluster' | 'resource' | 'intent'>

/** Options of {@link OwnedObjects}. */
export interface OwnedObjectsOptions {
  wired: WiredController
  context: RunContext
  primary: PrimaryObject
  /** Writes a Warning about the primary. */
  warn: (reason: string, message: string) => void
}

/** The objects that one run applies, and those that its primary owns. */
export class OwnedObjects {
  readonly #options: OwnedObjectsOptions
  readonly #owner: Owner
  readonly #applies = new RunApplies()
  readonly #contests: Contest[] = []

  constructor(options: OwnedObjectsOptions) {
    this.#options = options
    this.#owner = options.primary.owner
  }

  /** Access to a cluster that is bound to the run. */
  accessTo(cluster: Cluster): ClusterAccess {
    const apply = <O extends KubeObject>(
      resource: Resource<O>,
      intent: O | SharedFields<O>,
      options: ApplyOptions = {},
    ) => this.#apply({ cluster, resource, intent: intent as O }, options)
    return {
      get client() {
        return cluster.client
      },
      store: (resource) => new StoredCachedObjects(cluster.store(resource)),
      serves: (resource) => this.#isServed(cluster, resource),
      apply,
    }
  }

  #isServed(cluster: Cluster, resource: Resource): boolean {
    const { wired } = this.#options
    const kind = declaredKind(wired, cluster.name, resource)
    if (kind) return !kind.optional || wired.optionalKinds.isServed(kind)
    throw new PermanentError(
      `ctx.serves: controller ${wired.name} declares no ${formatResource(resource)} of cluster ${cluster.name}. Add the kind to ` +
        'owns or watches, as an optional one.',
    )
  }

  /** The contest of the primary or of an applied object that is retried first; undefined if there is none. */
  get contest(): Contest | undefined {
    return minBy([...this.#contests, this.#options.primary.contest ?? []].flat(), ({ resumeMs }) => resumeMs)
  }

  /** Deletes what the primary owns and this run did not apply. */
  async prune(): Promise<void> {
    await this.#prune(() => true)
    await pruneForgotten(this.#forgotten)
  }

  /**
   * Deletes the dependents that the garbage collector does not delete, when the primary is deleted. Returns undefined
   * once all of them are gone; otherwise the run waits for a change, or the result says when to check again.
   */
  async pruneUnreferenced(): Promise<ReconcileResult | 'waiting' | undefined> {
    await this.#prune((kind, object) => !this.#isReferenced(kind, object))
    const isAwaited = awaitedBy(this.#options.primary.noted)
    for (const kind of this.#kinds)
      for (const object of ownedBy(kind, this.#owner))
        if (await this.#isHolding(kind, object, isAwaited)) return 'waiting'
    return finalizeForgotten(this.#forgotten)
  }

  /**
   * Whether the primary waits for the deletion of an owned object. It does not wait for an object that only other
   * controllers applied.
   */
  async #isHolding(kind: OwnedKind, object: KubeObject, isAwaited: IsAwaited): Promise<boolean> {
    const { wired } = this.#options
    if (this.#isReferenced(kind, object) || hasKeepAnnotation(object, this.#owner)) return false
    if (!isAwaited(kind, object)) return false
    return wired.pruneScope === undefined || wired.pruneScope.mayDelete(kind, object, this.#owner)
  }

  get #forgotten(): ForgottenOptions {
    const { primary, wired, context } = this.#options
    const clusters = new Map(wired.clusters.map((one) => [one.name, context.bind(one)]))
    return { primary, kinds: wired.forgotten, clusters }
  }

  get #kinds(): readonly OwnedKind[] {
    const { wired, context } = this.#options
    const served = wired.owns.filter((kind) => !kind.optional || wired.optionalKinds.isServed(kind))
    return served.map(({ cluster, resource }) => ({ cluster: context.bind(cluster), resource }))
  }

  #isReferenced({ cluster }: OwnedKind, { metadata }: KubeObject): boolean {
    return mayRefer(this.#owner, { cluster: cluster.name, namespace: metadata.namespace ?? '' })
  }

  #prune(isIncluded: (kind: OwnedKind, object: KubeObject) => boolean): Promise<void> {
    const { context, wired } = this.#options
    return prune({
      owner: this.#owner,
      kinds: this.#kinds,
      applied: this.#applies.owned,
      isIncluded,
      scope: wired.pruneScope,
      forget: (id) => wired.applier.forget(id),
      logger: context.logger,
    })
  }

  /** Calls the controller, and ends its calls of `ctx.apply` when it returns. */
  async whileApplying<R>(call: () => R | Promise<R>): Promise<R> {
    let hasReturned = false
    try {
      const result = await call()
      hasReturned = true
      return result
    } finally {
      const left = await this.#applies.end()
      if (hasReturned && left.length > 0) this.#reportUnawaited(left)
    }
  }

  /** Logs calls of `ctx.apply` that were not awaited, once for each controller. */
  #reportUnawaited(unawaited: readonly string[]): void {
    const { context, wired } = this.#options
    if (wired.reported.has('unawaited')) return
    wired.reported.add('unawaited')
    context.logger.warn(
      {},
      `the controller returned before ctx.apply had ended for ${fewNames(unawaited)}: await every call, for example by ` +
        'await Promise.all(list.map(…)); forEach waits for nothing',
    )
  }

  #apply<O extends KubeObject>(wanted: WantedObject<O>, options: ApplyOptions): Promise<O> {
    const { primary } = this.#options
    checkIsObject(wanted.resource, wanted.intent)
    const id = placeId(wanted, keyOfIntent({ ...wanted, primary: primary.owner.key }))
    const isOwned = options.shared !== true
    return this.#applies.apply({ id, intent: wanted.intent, isOwned }, () => this.#send(wanted, options))
  }

  async #send<O extends KubeObject>(
    wanted: WantedObject<O>,
    { shared = false, force, release = [], recreate = false }: ApplyOptions,
  ): Promise<O> {
    const { wired, primary } = this.#options
    const owner = this.#owner
    checkReleasedFields(wanted.intent, release)
    const request = {
      ...wanted,
      primary: owner.key,
      release,
      onAltered: this.#reportAltered(wanted),
      onContested: (contest: Contest) => void this.#contests.push(contest),
    }
    const { applier } = wired
    if (shared) return applier.apply({ ...request, ...(force !== undefined && { force }) })
    const kind = ownedKind(wired, request.cluster.name, request.resource)
    if (!kind) throw notOwnedError(wired.name, request)
    if (kind.optional && !wired.optionalKinds.isServed(kind)) throw notServedError(request)
    const key = keyOfIntent(request)
    checkSelected(kind, request)
    const isReferenced = mayRefer(owner, { cluster: request.cluster.name, namespace: key.namespace })
    const note = isReferenced ? notedKind(request.resource) : locatedNote(kind, key)
    await primary.prepareFor(note, { isReferenced })
    const isOwnerAlive = () => this.#isOwnerAlive()
    const owned = { ...request, owner, isOwnerAlive, recreate, ...(kind.adopt && { adopt: kind.adopt }) }
    if (!isLimitedJob(request.resource, request.intent)) return applier.apply<O>(owned)
    return this.#applyJob<O>(owned, key)
  }

  /**
   * Applies a Job with a time to live. If the Job has ended and is gone, it is not applied again, and the intent is
   * returned.
   */
  async #applyJob<O extends KubeObject>(request: ApplyRequest<O>, key: Key): Promise<O> {
    const { wired, primary } = this.#options
    const name = nameOfJob(request, key)
    const find = () => request.cluster.store(request.resource).get(key)
    const live = find()
    const wasSeen = wired.finishedJobs.take(placeId(request, key), this.#owner.uid)
    if (live ? isFinished(live) : wasSeen) await primary.noteFinished(name)
    if (!find() && primary.hasFinished(name)) return request.intent
    return wired.applier.apply<O>(request)
  }

  /**
   * Writes a Warning about fields that admission sets to other values. They are not applied again, because admission
   * would change them again.
   */
  #reportAltered({ resource, intent }: Pick<ApplyRequest, 'resource' | 'intent'>) {
    return (paths: readonly string[]) =>
      this.#options.warn(
        'AdmissionChanged',
        `${resource.kind} ${intent.metadata.name} has other values than were applied, because an admission webhook or policy ` +
          `changes them: ${fewNames(paths)}`,
      )
  }

  async #isOwnerAlive(): Promise<boolean> {
    const { context } = this.#options
    const owner = this.#owner
    try {
      const { metadata } = await context.primary.client.get(owner.resource, owner.key)
      return metadata.uid === owner.uid && metadata.deletionTimestamp === undefined
    } catch (error) {
      if (isNotFound(error)) return false
      throw error
    }
  }
}
