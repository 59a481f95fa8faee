import type { Contest } from '../../engine/controller/contested-fields.js'
import { isConflict, isNotFound } from '../../engine/kube/error.js'
import { cloneJson, freezeJson } from '../../engine/kube/json.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { WaitError } from '../apply/wait-error.js'
import { finishedJobsAnnotation, notedJobs, withJob } from '../controller/finished-jobs.js'
import type { WiredController } from '../controller/wired-controller.js'
import {
  type AnnotationChange,
  annotationsWithoutKeys,
  annotationsWithoutRetry,
  annotationsWithThing,
  type BegunEffects,
  begunKeys,
  hasRetry,
  isBegun,
} from '../effect/begun-effects.js'
import { addFinalizer, hasFinalizer, removeFinalizer } from '../finalizer/finalizers.js'
import type { Owner } from '../owner/owner.js'
import { covers, limitLocations } from '../prune/noted-locations.js'
import type { OwnedKind } from '../prune/owned-kind.js'
import {
  annotationWith,
  type NotedKind,
  notedKind,
  notedKinds,
  ownedKindsAnnotation,
} from '../prune/owned-kinds.js'
import type { RunContext } from './run-context.js'

/** The number of attempts to change annotations; each further attempt reads the newest revision. */
const maxAttempts = 4

/** The options of {@link PrimaryObject}. */
export interface PrimaryObjectOptions<T extends KubeObject> {
  wired: WiredController<T>
  context: RunContext
  object: T
}

/** The primary object of one run, and what the run writes into its metadata: the finalizer and the noted kinds. */
export class PrimaryObject<T extends KubeObject = KubeObject> {
  readonly #options: PrimaryObjectOptions<T>
  #live: T

  constructor(options: PrimaryObjectOptions<T>) {
    this.#options = options
    this.#live = options.object
  }

  /** The object as it was read, or as it is since the run wrote its metadata. */
  get live(): T {
    return this.#live
  }

  /** The owner of the objects that the run applies. */
  get owner(): Owner {
    const { wired } = this.#options
    const { uid = '' } = this.#live.metadata
    return { cluster: wired.cluster.name, resource: wired.resource, key: keyOf(this.#live), uid }
  }

  /** The kinds that its annotation names for the controller. */
  get noted(): readonly NotedKind[] {
    const { resource, fieldManagers } = this.#options.wired
    return notedKinds(this.#live, resource, fieldManagers)
  }

  /** Adds the finalizer, unless it is there, and notes the declared kinds by the same patch. */
  async requireFinalizer(): Promise<void> {
    if (hasFinalizer(this.#live, this.#finalizer.finalizer)) return
    await this.#addFinalizer([])
  }

  /**
   * Prepares the primary before an object is applied: notes the kind for later releases, and adds the finalizer if the
   * object cannot have an owner reference.
   */
  async prepareFor(applied: NotedKind, { isReferenced }: { isReferenced: boolean }): Promise<void> {
    const { ownedKindsHint } = this.#options.wired.options
    const isFinalized = hasFinalizer(this.#live, this.#finalizer.finalizer)
    if (!isReferenced && !isFinalized) return this.#addFinalizer([applied])
    const isNoting = ownedKindsHint ?? isFinalized
    if (isNoting && !covers(this.noted, applied)) await this.#annotate(this.#kindsAnnotation([applied]))
  }

  /**
   * The effects that were begun for the object. Each has an annotation of its own, which only this controller writes.
   */
  get begunEffects(): BegunEffects {
    const { group } = this.#finalizer.resource
    return {
      has: (thing) => isBegun(this.#live, group, thing),
      keys: (name) => begunKeys(this.#live, group, name),
      note: async (thing) =>
        void (await this.#edit((object) => annotationsWithThing(object, group, thing), {
          isList: thing.key !== '',
        })),
      drop: async (name, keys) =>
        void (await this.#edit((object) => annotationsWithoutKeys(object, group, { name, keys }))),
      hasRetry: async (thing) => {
        if (hasRetry(this.#live, group, thing)) await this.#refresh()
        return hasRetry(this.#live, group, thing)
      },
      takeRetry: (thing, options) =>
        this.#edit((object) => annotationsWithoutRetry(object, group, { ...options, thing })),
      refresh: () => this.#refresh(),
    }
  }

  /** Whether a Job with a time to live is noted as ended. */
  hasFinished(job: string): boolean {
    return notedJobs(this.#live, this.#options.wired.resource.group).includes(job)
  }

  /** Notes that a Job with a time to live has ended. */
  async noteFinished(job: string): Promise<void> {
    if (this.hasFinished(job)) return
    const { group } = this.#options.wired.resource
    const value = withJob(notedJobs(this.#live, group), job)
    await this.#annotate({ annotations: { [finishedJobsAnnotation(group)]: value } })
  }

  /** Takes over the object as a write of its status returned it. */
  noteStatus(written: KubeObject | undefined): void {
    if (written) this.#replaceLive(written as T)
  }

  /** Removes kinds without remaining objects from the annotation. */
  async dropNotes(kinds: readonly NotedKind[]): Promise<void> {
    const left = this.noted.filter((kind) => !kinds.includes(kind))
    await this.#annotate({ annotations: this.#annotation(left) })
  }

  /** The contest for the finalizer with another program; undefined if there is none. */
  get contest(): Contest | undefined {
    return this.#options.wired.finalizerContest.find(this.#live)
  }

  /** Adds the finalizer, and notes the declared kinds and further ones by the same patch. */
  async #addFinalizer(further: readonly NotedKind[]): Promise<void> {
    const { finalizerContest } = this.#options.wired
    finalizerContest.checkMayAdd(this.#live, this.#finalizer)
    const options = { ...this.#finalizer, ...this.#kindsAnnotation(further) }
    this.#replaceLive(await addFinalizer(this.#live, options))
    finalizerContest.noteAdded(this.#live)
  }

  /** Removes the finalizer. */
  removeFinalizer(): Promise<void> {
    this.#options.wired.finalizerContest.forget(keyOf(this.#live))
    return removeFinalizer(this.#live, this.#finalizer)
  }

  get #finalizer() {
    const { wired, context } = this.#options
    const { resource, finalizer } = wired
    return { client: context.primary.client, resource, finalizer }
  }

  /** The annotation with all declared kinds and further ones; one patch is enough for all of them. */
  #kindsAnnotation(further: readonly NotedKind[]) {
    const { options, owns, cluster } = this.#options.wired
    if (options.ownedKindsHint === false) return {}
    const declared = owns.flatMap((kind) =>
      kind.cluster.name === cluster.name ? [notedKind(kind.resource)] : this.#likelyLocation(kind),
    )
    const kinds = limitLocations([...this.noted, ...declared, ...further])
    return kinds.length > 0 ? { annotations: this.#annotation(kinds) } : {}
  }

  /** Most objects in another cluster are in one namespace, which is then noted without a further patch. */
  #likelyLocation({ cluster, resource }: OwnedKind): readonly NotedKind[] {
    const location = cluster.namespace ?? this.#live.metadata.namespace
    if (!resource.namespaced || location === undefined) return []
    return [notedKind(resource, { cluster: cluster.name, location })]
  }

  #annotation(kinds: readonly NotedKind[]) {
    const { resource, fieldManagers: managers } = this.#options.wired
    return { [ownedKindsAnnotation(resource)]: annotationWith(this.#live, resource, { managers, kinds }) }
  }

  /** Patches annotations at the revision that was read, because other controllers write the same annotation. */
  async #annotate({ annotations }: { annotations?: Record<string, string | null> }): Promise<void> {
    const { client, resource } = this.#finalizer
    const { resourceVersion } = this.#live.metadata
    const body = { metadata: { resourceVersion, annotations } }
    this.#replaceLive(
      await this.#unlessGone(client.patch(resource, keyOf(this.#live), { type: 'merge', body })),
    )
  }

  /**
   * Changes annotations, and returns whether there was something to change. A list, and an annotation that counts once,
   * are changed at a known revision, and again on a newer revision if others write meanwhile. Otherwise a process with
   * an older state would remove the last entry of another process, or count the annotation again.
   */
  async #edit(
    change: (object: T) => AnnotationChange | undefined,
    { isList } = { isList: true },
  ): Promise<boolean> {
    const { client, resource } = this.#finalizer
    if (!change(this.#live)) return false
    if (isList) this.#takeNewest()
    for (let attempt = 1; ; attempt++) {
      const { uid, resourceVersion } = this.#live.metadata
      const annotations = change(this.#live)
      if (!annotations) return false
      const body = { metadata: { uid, ...(isList && { resourceVersion }), annotations } }
      const patched = client.patch(resource, keyOf(this.#live), { type: 'merge', body })
      try {
        this.#replaceLive(await this.#unlessGone(patched))
        return true
      } catch (error) {
        if (!isConflict(error) || attempt === maxAttempts) throw error
        await this.#refresh()
      }
    }
  }

  /** Takes over the cached object, which is newer if the run has written the status. */
  #takeNewest(): void {
    const { cluster, resource } = this.#options.wired
    const cached = cluster.store(resource).get(keyOf(this.#live))
    if (cached?.metadata.uid === this.#live.metadata.uid) this.#replaceLive(cached)
  }

  /** Reads the object from the API server. */
  async #refresh(): Promise<void> {
    const { client, resource } = this.#finalizer
    const { uid } = this.#live.metadata
    const read = await this.#unlessGone(client.get(resource, keyOf(this.#live)))
    this.#replaceLive(read?.metadata.uid === uid ? read : undefined)
  }

  #unlessGone(patched: Promise<T>): Promise<T | undefined> {
    return patched.catch((error: unknown) => {
      if (!isNotFound(error)) throw error
      return undefined
    })
  }

  #replaceLive(written: T | undefined): void {
    if (!written) throw new WaitError('the object is being deleted')
    this.#live = freezeJson(cloneJson(written))
  }
}
