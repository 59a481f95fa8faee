import type { Client } from '../../sdk/engine/client/client.js'
import { type Service, services } from '../../sdk/engine/kube/builtin.js'
import type { Key } from '../../sdk/engine/kube/key.js'
import type { VClusterVersion } from '../vcluster-options.js'
import { HookedCluster } from './hooked-cluster.js'
import type { HostTranslator } from './host-translator.js'
import { blockDeletion } from './metadata-keys.js'
import type { PluginHooks } from './plugin-hooks.js'
import type { OfBoth } from './sync-cluster.js'

/** Options of {@link UserServices}. */
export interface UserServicesOptions {
  clusters: OfBoth<{ readonly client: Client }>
  translator: HostTranslator<Service>
  hooks: PluginHooks
  version: VClusterVersion
  /** Aborts every call. */
  signal: AbortSignal
}

/** A user's write after the write to the host. */
export interface HostFirst {
  /** The user's Service with the addresses and ports that the host allocated. */
  readonly service: Service
  /** Deletes the host's Service, for a Service that the virtual cluster rejects. */
  undo(): Promise<void>
}

/**
 * Writes the Services of users to the host first, so that both Services have the cluster IP and the node
 * ports that the host allocated. Hooks see the write to the host. They do not see the write to the virtual
 * cluster, which is the user's request.
 *
 * See pkg/server/filters/service.go @ v0.36.1 of vcluster.
 */
export class UserServices {
  readonly #options: UserServicesOptions
  readonly #host: HookedCluster<Service>
  readonly #virtual: HookedCluster<Service>

  constructor(options: UserServicesOptions) {
    this.#options = options
    const { clusters, ...others } = options
    const { host, virtual } = clusters
    this.#host = new HookedCluster({ ...others, resource: services, side: 'host', client: host.client })
    this.#virtual = new HookedCluster({
      ...others,
      resource: services,
      side: 'virtual',
      client: virtual.client,
    })
  }

  /** Creates the host's Service for one that a user creates. */
  async createOnHost(service: Service): Promise<HostFirst> {
    const copy = this.#options.translator.newCopy(service)
    const annotations = { ...copy.metadata.annotations, [blockDeletion]: 'true' }
    const host = await this.#host.create({ ...copy, metadata: { ...copy.metadata, annotations } }, 'response')
    return this.#hostFirst(service, host)
  }

  /**
   * Updates the host's Service for an `ExternalName` Service that a user changes to another type; `undefined`
   * for any other update.
   */
  async updateOnHost(service: Service, key: Key): Promise<HostFirst | undefined> {
    const { clusters, translator, signal } = this.#options
    const before = await this.#virtual.afterRead(await clusters.virtual.client.get(services, key, { signal }))
    if (!isNewType(before, service)) return undefined
    const hostKey = translator.hostKey(key)
    const host = await this.#host.afterRead(await clusters.host.client.get(services, hostKey, { signal }))
    const { type, ports } = service.spec ?? {}
    const spec = { ...host.spec, ...(type && { type }), ...(ports && { ports }), clusterIP: '' }
    return this.#hostFirst(service, await this.#host.update({ ...host, spec }, { returns: 'response' }))
  }

  #hostFirst(service: Service, host: Service): HostFirst {
    const { clusterIP, clusterIPs, ports, healthCheckNodePort } = host.spec ?? {}
    const allocated = {
      ...(clusterIP !== undefined && { clusterIP }),
      ...(clusterIPs && { clusterIPs }),
      ...(ports && { ports }),
      ...(healthCheckNodePort !== undefined && { healthCheckNodePort }),
    }
    return {
      service: { ...service, spec: { ...service.spec, ...allocated } },
      undo: () => this.#host.delete(host),
    }
  }
}

function isNewType(before: Service, after: Service): boolean {
  const isSameVersion = before.metadata.resourceVersion === after.metadata.resourceVersion
  const isAlias = before.spec?.type === 'ExternalName'
  const isOther = (after.spec?.type ?? 'ClusterIP') !== 'ExternalName'
  return isSameVersion && isAlias && isOther && !after.spec?.clusterIP
}
