import type { Cluster } from '../../engine/cluster/cluster.js'
import { groupOfApiVersion } from '../../engine/kube/api-version.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { Clock } from '../../engine/time/clock.js'
import { type NotedKind, type NoteParts, parseNote } from './owned-kinds.js'

/** The time before a forbidden list or delete is tried again, and a missing kind looked for, in milliseconds. */
const retryMs = 60_000

/** The number of remembered kinds, because users can write notes. The oldest of too many kinds is forgotten. */
const maxKinds = 256

/** A kind as its cluster served it. */
interface ServedKind {
  /** Undefined if it was not served. */
  readonly resource: Resource | undefined
  /** When the cluster was asked, in milliseconds. */
  readonly atMs: number
  /** When the API server refused a list or a delete, in milliseconds. */
  readonly refusedAtMs?: number
}

/** Remembers which kinds of notes their clusters serve, and which may not be listed. */
export class ServedKinds {
  readonly #clock: Clock
  readonly #kinds = new Map<NotedKind, ServedKind>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The kind of a note; undefined if its cluster does not serve it. */
  async find(note: NotedKind, cluster: Cluster): Promise<Resource | undefined> {
    if (!this.#isKnown(note)) this.#remember(note, await findServed(parseNote(note), cluster))
    return this.#kinds.get(note)?.resource
  }

  /** Whether the API server has refused a list or a delete of the kind a short time ago. */
  isRefused(note: NotedKind): boolean {
    const { refusedAtMs = Number.NEGATIVE_INFINITY } = this.#kinds.get(note) ?? {}
    return this.#clock.now() - refusedAtMs < retryMs
  }

  /** Remembers that the API server refused a list or a delete. */
  noteRefusal(note: NotedKind): void {
    const kind = this.#kinds.get(note)
    if (kind) this.#kinds.set(note, { ...kind, refusedAtMs: this.#clock.now() })
  }

  /** Forgets that a kind was not served, so that its cluster is asked again. */
  forgetMissing(note: NotedKind): void {
    if (!this.#kinds.get(note)?.resource) this.#kinds.delete(note)
  }

  /** Forgets a kind. */
  forget(note: NotedKind): void {
    this.#kinds.delete(note)
  }

  /** The number of kinds that are remembered. */
  get size(): number {
    return this.#kinds.size
  }

  /** A kind that is not served may be served later, and its objects must not be left. */
  #isKnown(note: NotedKind): boolean {
    const { resource, atMs } = this.#kinds.get(note) ?? { atMs: Number.NEGATIVE_INFINITY }
    return resource !== undefined || this.#clock.now() - atMs < retryMs
  }

  #remember(note: NotedKind, resource: Resource | undefined): void {
    this.#kinds.set(note, { resource, atMs: this.#clock.now() })
    const [oldest = note] = this.#kinds.keys()
    if (this.#kinds.size > maxKinds) this.#kinds.delete(oldest)
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
