import type { Cluster } from '../../engine/cluster/cluster.js'
import { groupOfApiVersion } from '../../engine/kube/api-version.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { Clock } from '../../engine/time/clock.js'
import { type NotedKind, parseNote } from './owned-kinds.js'

/** The time before a forbidden list or delete is tried again, and a cluster asked what it serves, in milliseconds. */
const retryMs = 60_000

/** The number of remembered refusals, because users can write notes. The oldest of too many is forgotten. */
const maxRefusals = 4096

/** The answers of a cluster about the kinds that it serves. */
interface Discovery {
  /** When the cluster was asked, in milliseconds. */
  readonly atMs: number
  readonly apiVersions: Promise<readonly string[]>
  /** The kinds of the apiVersions that were asked for. */
  readonly kinds: Map<string, Promise<readonly Resource[]>>
}

/** Remembers the kinds that clusters serve, and which kinds of notes may not be listed. */
export class ServedKinds {
  readonly #clock: Clock
  readonly #discoveries = new Map<string, Discovery>()
  /** When the API server refused a list or a delete of the kind of a note, in milliseconds. */
  readonly #refusedAtMs = new Map<NotedKind, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * The kind of a note in any version that its cluster serves, because objects are only listed and deleted; undefined
   * if the cluster does not serve it. All notes share the answers of a cluster for a minute, except answers to
   * questions before `askedAfterMs`.
   */
  async find(
    note: NotedKind,
    cluster: Cluster,
    askedAfterMs = Number.NEGATIVE_INFINITY,
  ): Promise<Resource | undefined> {
    const { group, kind } = parseNote(note)
    const discovery = this.#discover(cluster, askedAfterMs)
    try {
      const all = await discovery.apiVersions
      for (const apiVersion of all.filter((version) => groupOfApiVersion(version) === group)) {
        const resource = (await kindsOf(discovery, apiVersion, cluster)).find((one) => one.kind === kind)
        if (resource) return resource
      }
      return undefined
    } catch (error) {
      this.#discoveries.delete(cluster.name)
      throw error
    }
  }

  /** Whether the API server has refused a list or a delete of the kind a short time ago. */
  isRefused(note: NotedKind): boolean {
    const atMs = this.#refusedAtMs.get(note) ?? Number.NEGATIVE_INFINITY
    return this.#clock.now() - atMs < retryMs
  }

  /** Remembers that the API server refused a list or a delete. */
  noteRefusal(note: NotedKind): void {
    this.#refusedAtMs.delete(note)
    this.#refusedAtMs.set(note, this.#clock.now())
    const [oldest = note] = this.#refusedAtMs.keys()
    if (this.#refusedAtMs.size > maxRefusals) this.#refusedAtMs.delete(oldest)
  }

  /** The number of refusals that are remembered. */
  get size(): number {
    return this.#refusedAtMs.size
  }

  /** The last answers of a cluster, or new ones: a kind that is not served may be served later. */
  #discover(cluster: Cluster, askedAfterMs: number): Discovery {
    const now = this.#clock.now()
    const known = this.#discoveries.get(cluster.name)
    if (known && now - known.atMs < retryMs && known.atMs >= askedAfterMs) return known
    const discovery = { atMs: now, apiVersions: cluster.apiVersions(), kinds: new Map() }
    this.#discoveries.set(cluster.name, discovery)
    return discovery
  }
}

function kindsOf({ kinds }: Discovery, apiVersion: string, cluster: Cluster): Promise<readonly Resource[]> {
  const served = kinds.get(apiVersion) ?? cluster.served(apiVersion)
  kinds.set(apiVersion, served)
  return served
}
