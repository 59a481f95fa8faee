import type { Client } from '../../sdk/engine/client/client.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import { keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { VClusterVersion } from '../vcluster-options.js'
import type { PluginHooks } from './plugin-hooks.js'
import type { Side } from './sync-cluster.js'

/** Options of {@link HookedCluster}. */
export interface HookedClusterOptions<T extends KubeObject> {
  side: Side
  client: Client
  /** Aborts every call. */
  signal: AbortSignal
  resource: Resource<T>
  hooks: PluginHooks
  version: VClusterVersion
}

/** Which object a write returns: the one that was `requested`, with the metadata of the `response`, or the response. */
type Returns = 'requested' | 'response'

/**
 * A cluster with hooks, as vcluster's own syncers use it. Hooks see each object that is read, and each object
 * before it is written (`pkg/util/pluginhookclient/client.go` @ vcluster v0.36.1).
 */
export class HookedCluster<T extends KubeObject> {
  readonly #options: HookedClusterOptions<T>

  constructor(options: HookedClusterOptions<T>) {
    this.#options = options
  }

  /** Calls the hooks for an object that was read, and returns what the syncer sees. */
  afterRead(object: T): Promise<T> {
    return this.#callHooks('Get', object)
  }

  /** Returns the object from before the hooks with the server's metadata, or the server's response. */
  async create(object: T, returns: Returns = 'requested'): Promise<T> {
    const { version, resource, client, signal } = this.#options
    const encodable = version === '0.19' ? withNullTime(object) : object
    const hooked = await this.#callHooks('Create', encodable)
    const created = await client.create(resource, withoutNullTime(hooked), { signal })
    return returns === 'response' ? created : withServerMetadata(object, created)
  }

  /** Returns the same as {@link create}. With `status` only the status is written. */
  async update(
    object: T,
    { status = false, returns = 'requested' }: { status?: boolean; returns?: Returns } = {},
  ): Promise<T> {
    const { resource, client, signal } = this.#options
    const hooked = await this.#callHooks('Update', object)
    const subresource = status ? { subresource: 'status' } : {}
    const updated = await client.update(resource, hooked, { signal, ...subresource })
    return returns === 'response' ? updated : withServerMetadata(object, updated)
  }

  /** Deletes this object if it still exists, by its UID. */
  async delete(object: T, { gracePeriodSeconds }: { gracePeriodSeconds?: number } = {}): Promise<void> {
    const { resource, client, signal } = this.#options
    await this.#callHooks('Delete', object)
    const { uid } = object.metadata
    const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }
    try {
      await client.delete(resource, keyOf(object), { signal, ...(uid && { uid }), ...grace })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  #callHooks(verb: 'Get' | 'Create' | 'Update' | 'Delete', object: T): Promise<T> {
    const { side, hooks, resource } = this.#options
    return hooks.afterHooks(`${verb}${side === 'host' ? 'Physical' : 'Virtual'}`, resource, object)
  }
}

/** Up to 0.19 a new object has a creation time of `null`; a recreated one has that of the old object. */
const withNullTime = <T extends KubeObject>(object: T): T => ({
  ...object,
  metadata: { creationTimestamp: null, ...object.metadata },
})

function withoutNullTime<T extends KubeObject>(object: T): T {
  const { creationTimestamp, ...metadata } = object.metadata
  return creationTimestamp ? object : { ...object, metadata }
}

/** The requested object with the identity that the server gave it and its own labels and annotations. */
function withServerMetadata<T extends KubeObject>(requested: T, { metadata }: T): T {
  const { labels, annotations } = requested.metadata
  const { labels: _, annotations: __, ...identity } = metadata
  const keptMetadata = { ...(labels && { labels }), ...(annotations && { annotations }) }
  return { ...requested, metadata: { ...identity, ...keptMetadata } }
}
