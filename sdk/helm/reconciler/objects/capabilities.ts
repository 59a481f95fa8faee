import type { Cluster } from '../../../engine/cluster/cluster.js'
import { groupOfApiVersion } from '../../../engine/kube/api-version.js'
import { apiVersionOf, type Resource } from '../../../engine/kube/resource.js'
import type { Clock } from '../../../engine/time/clock.js'
import type { Capabilities } from '../../render/renderer.js'
import { ApiUnavailableError, askServed, isServedByKubernetes } from '../problem/api-unavailable.js'

/** The maximum age of the known kinds before they are read again, in milliseconds. */
const maxAgeMs = 60_000

/** The calls of a cluster that list what it serves. */
export type KindsCluster = Pick<Cluster, 'version' | 'apiVersions' | 'served'>

/** The kinds of a cluster at the last read. */
interface ClusterKinds {
  readonly capabilities: Capabilities
  readonly versions: readonly string[]
  readonly kinds: Map<string, Resource>
  /** The apiVersions that did not answer. */
  readonly unavailable: ReadonlySet<string>
  /** The answers about kinds that are not served in the version that was asked for. */
  readonly inOtherVersions: Map<string, Resource | undefined>
}

/**
 * The kinds that a cluster serves, read again once a minute. The server of an aggregated API, such as that of an
 * APIService, may not answer. As with Helm, other APIs stay usable: `.Capabilities` keeps the kinds of the last answer,
 * and only a search for a kind of the unavailable API fails with {@link ApiUnavailableError}.
 */
export class ServedKinds {
  readonly #cluster: KindsCluster
  readonly #clock: Clock
  #readMs = Number.NEGATIVE_INFINITY
  #read: Promise<ClusterKinds> | undefined
  /** The last answer about each apiVersion of other servers. */
  #answers: ReadonlyMap<string, readonly Resource[]> = new Map()

  constructor(cluster: KindsCluster, clock: Clock) {
    this.#cluster = cluster
    this.#clock = clock
  }

  /** The cluster as `.Capabilities` of templates shows it. */
  async capabilities(): Promise<Capabilities> {
    return (await this.#currentKinds()).capabilities
  }

  /**
   * The resource of a kind. For an unknown kind the cluster is asked again, because it may just have been installed.
   * Rejects with {@link ApiUnavailableError} if the API of the kind does not answer.
   */
  async find(apiVersion: string, kind: string): Promise<Resource | undefined> {
    const { kinds, unavailable } = await this.#currentKinds()
    const cached = unavailable.has(apiVersion) ? undefined : kinds.get(`${apiVersion}/${kind}`)
    if (cached) return cached
    const served = await askServed(this.#cluster, apiVersion, kind)
    const resource = served.find((resource) => resource.kind === kind)
    if (resource && !unavailable.has(apiVersion)) kinds.set(`${apiVersion}/${kind}`, resource)
    return resource
  }

  /**
   * As {@link find}, or else the resource of the kind in another version of its group: an object that was applied in a
   * version that is no longer served still exists. The answer is as old as the known kinds at most.
   */
  async findInAnyVersion(apiVersion: string, kind: string): Promise<Resource | undefined> {
    const { kinds, unavailable, inOtherVersions } = await this.#currentKinds()
    const name = `${apiVersion}/${kind}`
    if (inOtherVersions.has(name)) return kinds.get(name) ?? inOtherVersions.get(name)
    const resource = (await this.find(apiVersion, kind)) ?? (await this.#findInGroup(apiVersion, kind))
    if (!kinds.has(name) && !unavailable.has(apiVersion)) inOtherVersions.set(name, resource)
    return resource
  }

  /** The resource of a kind in any known version of the group of an apiVersion. */
  async #findInGroup(apiVersion: string, kind: string): Promise<Resource | undefined> {
    const group = groupOfApiVersion(apiVersion)
    const { versions } = await this.#currentKinds()
    for (const other of versions.filter((candidate) => groupOfApiVersion(candidate) === group)) {
      const found = await this.find(other, kind)
      if (found) return found
    }
    return undefined
  }

  #currentKinds(): Promise<ClusterKinds> {
    const nowMs = this.#clock.date().getTime()
    if (this.#read && nowMs - this.#readMs < maxAgeMs) return this.#read
    this.#readMs = nowMs
    this.#read = this.#readAll()
    this.#read.catch(() => {
      this.#read = undefined
    })
    return this.#read
  }

  async #readAll(): Promise<ClusterKinds> {
    const [kubeVersion, versions] = await Promise.all([this.#cluster.version(), this.#cluster.apiVersions()])
    const unavailable = new Set<string>()
    const answers = await Promise.all(versions.map((version) => this.#readKinds(version, unavailable)))
    this.#answers = new Map(versions.map((version, index) => [version, answers[index] ?? []]))
    const kinds = new Map(answers.flat().map((resource) => [nameOf(resource), resource]))
    const capabilities = { kubeVersion, apiVersions: [...versions, ...kinds.keys()] }
    return { capabilities, versions, kinds, unavailable, inOtherVersions: new Map() }
  }

  /** The kinds of an apiVersion; the last ones known if its server does not answer, so that renderings stay equal. */
  async #readKinds(apiVersion: string, unavailable: Set<string>): Promise<readonly Resource[]> {
    try {
      return await askServed(this.#cluster, apiVersion)
    } catch (error) {
      if (!(error instanceof ApiUnavailableError) || isServedByKubernetes(apiVersion)) throw error
      unavailable.add(apiVersion)
      return this.#answers.get(apiVersion) ?? []
    }
  }
}

const nameOf = (resource: Resource) => `${apiVersionOf(resource)}/${resource.kind}`
