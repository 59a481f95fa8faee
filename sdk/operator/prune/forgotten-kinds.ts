/**
 * Deletes the objects of kinds that an earlier release of a controller declared in `owns` and this one does not.
 * They have no cache: an annotation of the primary object names the kinds, and their objects are listed once for each
 * primary that names one. Afterwards the annotation does not name the kind any more. A note is one entry of that
 * annotation; see `NotedKind`.
 *
 * The annotation can be edited by everybody who may edit the primary, so it decides only where to look. An object is
 * deleted if it belongs to the primary and this controller has applied it.
 */
import { listPages } from '../../engine/client/list-all.js'
import type { Cluster } from '../../engine/cluster/cluster.js'
import { isForbidden, isGone, isNotFound } from '../../engine/kube/error.js'
import { formatKey, type Key, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import { placeId } from '../apply/apply-request.js'
import { hasEntryOf } from '../apply/managed-leaves.js'
import { remove } from '../apply/remove.js'
import type { Owner } from '../owner/owner.js'
import { ownerLabelNames } from '../owner/owner-labels.js'
import { ownershipOf } from '../owner/ownership.js'
import { MissingKinds } from './missing-kinds.js'
import type { OwnedKind } from './owned-kind.js'
import type { NotedKind } from './owned-kinds.js'
import { parseNote } from './owned-kinds.js'
import { hasKeepAnnotation } from './prune.js'
import type { PruneScope } from './prune-scope.js'
import { ServedKinds } from './served-kinds.js'

/** Options of {@link ForgottenKinds}. */
export interface ForgottenKindsOptions {
  /** The field manager of the controller, and its former names. */
  managers: readonly string[]
  /** The cluster of the primaries. */
  cluster: string
  /** The kinds that the controller declares. */
  owns: readonly { readonly cluster: { readonly name: string }; readonly resource: Resource }[]
  /** Which objects the controller may delete, if it shares its kind; undefined if all that it has applied. */
  scope: PruneScope | undefined
  clock: Clock
  logger: Logger
}

/** The length of a note in characters, which users can write. A longer note names no kind. */
const maxNoteLength = 1024
/** The number of objects of one page: the metadata of an object can have more than 256 KiB. */
const pageLimit = 100
/** The largest number of reported clusters, which users name in notes, too. */
const maxReportedClusters = 100

/**
 * How many objects still exist. `not served`: the definition of the kind is gone, and its objects with it, or the
 * program has no such cluster. `forbidden`: the operator may not list or delete them.
 */
export type RemainingCount = number | 'not served' | 'forbidden'

/** One primary whose annotation names a forgotten kind. */
export interface ForgottenRequest {
  owner: Owner
  note: NotedKind
  /** The clusters of the program, bound to the run. */
  clusters: ReadonlyMap<string, Cluster>
}

/** The kinds that earlier releases of one controller declared. */
export class ForgottenKinds {
  readonly #options: ForgottenKindsOptions
  readonly #served: ServedKinds
  /** The kinds whose refusal was logged. */
  readonly #reported = new Set<string>()
  /** The unknown clusters that were logged. */
  readonly #reportedClusters = new Set<string>()
  readonly #missing: MissingKinds

  constructor(options: ForgottenKindsOptions) {
    this.#options = options
    this.#served = new ServedKinds(options.clock)
    this.#missing = new MissingKinds(options.clock)
  }

  /** Selects the kinds that the controller does not declare. */
  selectUndeclared(notes: readonly NotedKind[]): readonly NotedKind[] {
    return notes.filter((note) => note.length <= maxNoteLength && !this.#isDeclared(note))
  }

  /** Whether a list or a delete of the kind was refused so recently that it is not tried again. */
  isRefused(note: NotedKind): boolean {
    return this.#served.isRefused(note)
  }

  /** Deletes the objects of a kind that belong to a primary. */
  remove(request: ForgottenRequest): Promise<RemainingCount> {
    return this.#remove(request)
  }

  async #remove(request: ForgottenRequest, askedAfterMs?: number): Promise<RemainingCount> {
    const { note } = request
    if (this.isRefused(note)) return 'forbidden'
    const kind = await this.#find(request, askedAfterMs)
    if (!kind) return 'not served'
    try {
      return await this.#removeAll(kind, request)
    } catch (error) {
      if (isForbidden(error)) return this.#rememberRefusal(kind, note)
      // The definition of the kind was deleted after the kind was found.
      if (isNotFound(error)) return 'not served'
      throw error
    }
  }

  /**
   * Like {@link remove}, for a primary that goes when nothing is left. So a kind is `not served` only if two answers of
   * the cluster, a minute apart, say so; until then it is `unconfirmed`.
   */
  async removeLast(request: ForgottenRequest): Promise<RemainingCount | 'unconfirmed'> {
    const { owner, note } = request
    if (this.#missing.isRecent(owner, note)) return 'unconfirmed'
    const removed = await this.#remove(request, this.#missing.decidableAtMs(owner, note))
    if (removed !== 'not served') {
      this.#missing.found(owner, note)
      return removed
    }
    return this.#missing.record(owner, note) ? 'not served' : 'unconfirmed'
  }

  /** Forgets a primary that is gone. */
  forget(key: Key): void {
    this.#missing.forget(key)
  }

  #isDeclared(note: NotedKind): boolean {
    const { cluster: notedCluster, group, kind } = parseNote(note)
    const { owns, cluster } = this.#options
    return owns.some(
      (owned) =>
        owned.cluster.name === (notedCluster ?? cluster) &&
        owned.resource.kind === kind &&
        owned.resource.group === group,
    )
  }

  /** The kind of a note; undefined if its cluster is unknown or does not serve it. */
  async #find(request: ForgottenRequest, askedAfterMs?: number): Promise<OwnedKind | undefined> {
    const { note } = request
    const cluster = this.#clusterOf(request)
    if (!cluster) return undefined
    const resource = await this.#served.find(note, cluster, askedAfterMs)
    return resource && { cluster, resource }
  }

  #clusterOf({ note, clusters }: ForgottenRequest): Cluster | undefined {
    return clusters.get(parseNote(note).cluster ?? this.#options.cluster)
  }

  /** The number of refusals and primaries that are remembered. */
  get size(): number {
    return this.#served.size + this.#missing.size
  }

  /** Deletes the objects of a kind, and starts again once if the list expires on the way. */
  #removeAll(kind: OwnedKind, request: ForgottenRequest): Promise<number> {
    return this.#removeListed(kind, request).catch((error: unknown) => {
      if (!isGone(error)) throw error
      return this.#removeListed(kind, request)
    })
  }

  /** Deletes the objects of a kind and returns how many exist: those that it deleted are included. */
  async #removeListed(kind: OwnedKind, { owner, note }: ForgottenRequest): Promise<number> {
    const { scope } = this.#options
    let remaining = 0
    for await (const object of this.#objectsOf(kind, { owner, note })) {
      if (scope && !(await scope.mayDeleteLive(kind, object, owner))) continue
      remaining++
      if (object.metadata.deletionTimestamp) continue
      await remove(kind, object)
      const id = placeId(kind, keyOf(object))
      this.#options.logger.info({ object: id }, 'an object of a kind that is not owned any more was deleted')
    }
    return remaining
  }

  /**
   * The metadata of the objects of a kind that belong to the primary and that the controller has applied. Users name
   * the kinds, which may have very many objects, so only one page is in memory.
   */
  async *#objectsOf(
    kind: OwnedKind,
    { owner, note }: Pick<ForgottenRequest, 'owner' | 'note'>,
  ): AsyncGenerator<KubeObject, void, undefined> {
    const { cluster, resource } = kind
    const { cluster: notedCluster, location } = parseNote(note)
    // Only objects with owner labels in place of an owner reference have a cluster in their note.
    const isLabelled = notedCluster !== undefined
    const namespace = (isLabelled ? location : owner.key.namespace) || cluster.namespace
    const pages = listPages(cluster.client, resource, {
      limit: pageLimit,
      metadataOnly: true,
      ...(resource.namespaced && namespace !== undefined && { namespace }),
      ...(isLabelled && { labelSelector: `${ownerLabelNames(owner.resource).uid}=${owner.uid}` }),
    })
    const isAtLocation = ({ metadata }: KubeObject) =>
      location === undefined || location === (resource.namespaced ? metadata.namespace : metadata.name)
    for await (const { items } of pages)
      yield* items.filter(
        (object) =>
          isAtLocation(object) && this.#isOwned(object, kind, owner) && !hasKeepAnnotation(object, owner),
      )
  }

  #isOwned(object: KubeObject, { cluster }: OwnedKind, owner: Owner): boolean {
    const { managedFields = [] } = object.metadata
    return (
      ownershipOf(object, cluster.name, owner) === 'owned' &&
      hasEntryOf(this.#options.managers, managedFields)
    )
  }

  /** Warns, once for each cluster, that objects may be left in a cluster that the program does not have. */
  reportUnknownCluster({ owner, note }: Pick<ForgottenRequest, 'owner' | 'note'>): void {
    const { cluster = this.#options.cluster } = parseNote(note)
    const reported = this.#reportedClusters
    if (reported.has(cluster) || reported.size >= maxReportedClusters) return
    reported.add(cluster)
    this.#options.logger.warn(
      { object: formatKey(owner.key) },
      `objects of ${JSON.stringify(note)}, which an earlier release owned, may be left: the operator has no cluster of this ` +
        'name. Delete them there, or give the cluster its former name',
    )
  }

  /** Remembers that the API server refused a list or delete, and warns once for each kind. */
  #rememberRefusal({ cluster, resource }: OwnedKind, note: NotedKind): 'forbidden' {
    this.#served.noteRefusal(note)
    const kind = `${cluster.name} ${formatResource(resource)}`
    if (!this.#reported.has(kind))
      this.#options.logger.warn(
        { cluster: cluster.name, resource: resource.plural },
        `an earlier release owned ${formatResource(resource)}; this one may not list and delete them, so they stay: allow both ` +
          'until they are gone, for example by permissions of the controller, or declare the kind in owns',
      )
    this.#reported.add(kind)
    return 'forbidden'
  }
}
