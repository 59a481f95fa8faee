/**
 * Deletes the objects of kinds that an earlier release of a controller declared in `owns` and this one does not.
 * They have no cache: an annotation of the primary object names the kinds, and their objects are listed once for each
 * primary that names one. Afterwards the annotation does not name the kind any more. A note is one entry of that
 * annotation; see `NotedKind`.
 *
 * The annotation can be edited by everybody who may edit the primary, so it decides only where to look. An object is
 * deleted if it belongs to the primary and this controller has applied it.
 */
import type { Cluster } from '../../engine/cluster/cluster.js'
import { groupOfApiVersion } from '../../engine/kube/api-version.js'
import { isForbidden, isNotFound } from '../../engine/kube/error.js'
import { keyOf } from '../../engine/kube/key.js'
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
import type { OwnedKind } from './owned-kind.js'
import type { NotedKind, NoteParts } from './owned-kinds.js'
import { parseNote } from './owned-kinds.js'
import { hasKeepAnnotation } from './prune.js'
import type { PruneScope } from './prune-scope.js'

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

/** The time before a forbidden list or delete is tried again, and a missing kind looked for, in milliseconds. */
const retryMs = 60_000

/**
 * Limits for notes, which users can write: the length of a note in characters, and the number of remembered kinds. A
 * longer note names no kind. The oldest of too many kinds is forgotten.
 */
const maxNoteLength = 1024
const maxServedKinds = 256

/**
 * How many objects still exist. `not served`: the definition of the kind is gone, and its objects with it.
 * `forbidden`: the operator may not list or delete them.
 */
export type RemainingCount = number | 'not served' | 'forbidden'

/** One primary whose annotation names a forgotten kind. */
export interface ForgottenRequest {
  owner: Owner
  note: NotedKind
  /** The clusters of the program, bound to the run. */
  clusters: ReadonlyMap<string, Cluster>
}

/** A kind as its cluster served it. */
interface FoundKind {
  /** Undefined if it was not served. */
  readonly resource: Resource | undefined
  /** When the cluster was asked, in milliseconds. */
  readonly atMs: number
}

/** The kinds that earlier releases of one controller declared. */
export class ForgottenKinds {
  readonly #options: ForgottenKindsOptions
  readonly #served = new Map<NotedKind, FoundKind>()
  /** When a kind was refused last. */
  readonly #refusedAt = new Map<NotedKind, number>()
  /** The kinds whose refusal was logged. */
  readonly #reported = new Set<string>()

  constructor(options: ForgottenKindsOptions) {
    this.#options = options
  }

  /** Selects the kinds that the controller does not declare. */
  selectUndeclared(notes: readonly NotedKind[]): readonly NotedKind[] {
    return notes.filter((note) => note.length <= maxNoteLength && !this.#isDeclared(note))
  }

  /** Deletes the objects of a kind that belong to a primary. */
  async remove(request: ForgottenRequest): Promise<RemainingCount> {
    const { note } = request
    const sinceMs = this.#options.clock.now() - (this.#refusedAt.get(note) ?? Number.NEGATIVE_INFINITY)
    if (sinceMs < retryMs) return 'forbidden'
    const kind = await this.#find(request)
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
  async #find({ note, clusters }: ForgottenRequest): Promise<OwnedKind | undefined> {
    const parts = parseNote(note)
    const cluster = clusters.get(parts.cluster ?? this.#options.cluster)
    if (!cluster) return undefined
    if (!this.#isKnown(note)) this.#rememberServed(note, await findServed(parts, cluster))
    const { resource } = this.#served.get(note) ?? {}
    return resource && { cluster, resource }
  }

  /** A kind that is not served may be served later, and its objects must not be left. */
  #isKnown(note: NotedKind): boolean {
    const { resource, atMs } = this.#served.get(note) ?? { atMs: Number.NEGATIVE_INFINITY }
    return resource !== undefined || this.#options.clock.now() - atMs < retryMs
  }

  #rememberServed(note: NotedKind, resource: Resource | undefined): void {
    this.#served.set(note, { resource, atMs: this.#options.clock.now() })
    const [oldest = note] = this.#served.keys()
    if (this.#served.size <= maxServedKinds) return
    this.#served.delete(oldest)
    this.#refusedAt.delete(oldest)
  }

  /** The number of kinds that are remembered. */
  get size(): number {
    return this.#served.size + this.#refusedAt.size
  }

  /** Deletes the objects of a kind and returns how many exist: those that it deleted are included. */
  async #removeAll(kind: OwnedKind, { owner, note }: ForgottenRequest): Promise<number> {
    const { scope } = this.#options
    const objects = await this.#objectsOf(kind, { owner, note })
    let remaining = 0
    for (const object of objects) {
      if (scope && !(await scope.mayDeleteLive(kind, object, owner))) continue
      remaining++
      if (object.metadata.deletionTimestamp) continue
      await remove(kind, object)
      const id = placeId(kind, keyOf(object))
      this.#options.logger.info({ object: id }, 'an object of a kind that is not owned any more was deleted')
    }
    return remaining
  }

  /** The objects of a kind that belong to the primary and that the controller has applied. */
  async #objectsOf(
    kind: OwnedKind,
    { owner, note }: Pick<ForgottenRequest, 'owner' | 'note'>,
  ): Promise<KubeObject[]> {
    const { cluster, resource } = kind
    const { cluster: notedCluster, location } = parseNote(note)
    // Only objects with owner labels in place of an owner reference have a cluster in their note.
    const isLabelled = notedCluster !== undefined
    const namespace = (isLabelled ? location : owner.key.namespace) || cluster.namespace
    const { items } = await cluster.client.listAll(resource, {
      ...(resource.namespaced && namespace !== undefined && { namespace }),
      ...(isLabelled && { labelSelector: `${ownerLabelNames(owner.resource).uid}=${owner.uid}` }),
    })
    const isAtLocation = ({ metadata }: KubeObject) =>
      location === undefined || location === (resource.namespaced ? metadata.namespace : metadata.name)
    return items.filter(
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

  /** Remembers that the API server refused a list or delete, and warns once for each kind. */
  #rememberRefusal({ cluster, resource }: OwnedKind, note: NotedKind): 'forbidden' {
    this.#refusedAt.set(note, this.#options.clock.now())
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

/** Finds the kind in any version that the cluster serves, because objects are only listed and deleted. */
async function findServed({ group, kind }: NoteParts, cluster: Cluster): Promise<Resource | undefined> {
  const apiVersions = (await cluster.apiVersions()).filter((version) => groupOfApiVersion(version) === group)
  for (const apiVersion of apiVersions) {
    const resources = await cluster.served(apiVersion)
    const resource = resources.find((candidate) => candidate.kind === kind)
    if (resource) return resource
  }
  return undefined
}
