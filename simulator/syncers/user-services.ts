import type { RegisterContext } from '../../sdk/context/register-context.js'
import { type Service, services } from '../../sdk/kube/builtin.js'
import type { Key } from '../../sdk/kube/key.js'
import type { VClusterVersion } from '../vcluster-options.js'
import { blockDeletion } from './block-deletion.js'
import { HookedCluster } from './hooked-cluster.js'
import type { PluginHooks } from './plugin-hooks.js'
import type { SimulatedSyncer } from './simulated-syncer.js'

/** What {@link UserServices} are made of. */
export interface UserServicesOptions {
  ctx: RegisterContext
  syncer: SimulatedSyncer<Service>
  hooks: PluginHooks
  version: VClusterVersion
}

/** A user's write after the host has been written first. */
export interface HostFirst {
  /** The user's Service with what the host allocated, and with the host's ports. */
  readonly service: Service
  /** Takes the host's Service away, where the virtual cluster refuses the user's. */
  undo(): Promise<void>
}

/**
 * The users' writes of Services that vcluster's API makes on the host first, so that both Services have the cluster IP and the
 * node ports that the host allocated. Hooks see what is written to the host; what is then written to the virtual cluster, in
 * the user's name, they do not see.
 *
 * See pkg/server/filters/service.go @ v0.36.1 of vcluster.
 */
export class UserServices {
  readonly #options: UserServicesOptions
  readonly #host: HookedCluster<Service>
  readonly #virtual: HookedCluster<Service>

  constructor(options: UserServicesOptions) {
    this.#options = options
    const { ctx, hooks, version } = options
    const { signal } = new AbortController()
    const parts = { ctx: { ...ctx, signal }, resource: services, hooks, version }
    this.#host = new HookedCluster({ ...parts, side: 'host' })
    this.#virtual = new HookedCluster({ ...parts, side: 'virtual' })
  }

  /** Creates the host's Service for one that a user creates. */
  async created(service: Service): Promise<HostFirst> {
    const copy = this.#options.syncer.translateMetadata(service)
    const annotations = { ...copy.metadata.annotations, [blockDeletion]: 'true' }
    const host = await this.#host.create({ ...copy, metadata: { ...copy.metadata, annotations } }, 'answered')
    return this.#hostFirst(service, host)
  }

  /** Updates the host's Service for an `ExternalName` that a user turns into another type; `undefined` for any other update. */
  async updated(service: Service, key: Key): Promise<HostFirst | undefined> {
    const { ctx, syncer } = this.#options
    const before = await this.#virtual.got(await ctx.virtual.client.get(services, key))
    if (!isNewType(before, service)) return undefined
    const hostKey = syncer.virtualToHost(key, before)
    if (!hostKey) return undefined
    const host = await this.#host.got(await ctx.host.client.get(services, hostKey))
    const { type, ports } = service.spec ?? {}
    const spec = { ...host.spec, ...(type && { type }), ...(ports && { ports }), clusterIP: '' }
    return this.#hostFirst(service, await this.#host.update({ ...host, spec }, { answers: 'answered' }))
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
