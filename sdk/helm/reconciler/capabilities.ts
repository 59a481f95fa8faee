import type { Cluster } from '../../cluster/cluster.js'
import { apiVersionOf, type Resource } from '../../kube/resource.js'
import type { Clock } from '../../time/clock.js'
import type { Capabilities } from '../render/renderer.js'

/** For how long the answers of an API server are used, in milliseconds. */
const freshMs = 60_000

/** The calls of a cluster that say what it serves. */
export type KindsCluster = Pick<Cluster, 'version' | 'apiVersions' | 'served'>

/** The kinds that a cluster serves, read again once a minute. */
export class ServedKinds {
  readonly #cluster: KindsCluster
  readonly #clock: Clock
  #readMs = Number.NEGATIVE_INFINITY
  #read: Promise<{ capabilities: Capabilities; kinds: Map<string, Resource> }> | undefined

  constructor(cluster: KindsCluster, clock: Clock) {
    this.#cluster = cluster
    this.#clock = clock
  }

  /** The cluster as `.Capabilities` of templates shows it. */
  async capabilities(): Promise<Capabilities> {
    return (await this.#fresh()).capabilities
  }

  /** The resource of a kind. For an unknown kind the cluster is asked again, because it may just have been installed. */
  async find(apiVersion: string, kind: string): Promise<Resource | undefined> {
    const { kinds } = await this.#fresh()
    const known = kinds.get(`${apiVersion}/${kind}`)
    if (known) return known
    const served = await this.#cluster.served(apiVersion)
    const found = served.find((resource) => resource.kind === kind)
    if (found) kinds.set(`${apiVersion}/${kind}`, found)
    return found
  }

  #fresh() {
    const nowMs = this.#clock.date().getTime()
    if (this.#read && nowMs - this.#readMs < freshMs) return this.#read
    this.#readMs = nowMs
    this.#read = this.#readAll()
    this.#read.catch(() => {
      this.#read = undefined
    })
    return this.#read
  }

  async #readAll() {
    const [kubeVersion, versions] = await Promise.all([this.#cluster.version(), this.#cluster.apiVersions()])
    const served = (await Promise.all(versions.map((version) => this.#cluster.served(version)))).flat()
    const kinds = new Map(served.map((resource) => [nameOf(resource), resource]))
    return { capabilities: { kubeVersion, apiVersions: [...versions, ...kinds.keys()] }, kinds }
  }
}

const nameOf = (resource: Resource) => `${apiVersionOf(resource)}/${resource.kind}`
