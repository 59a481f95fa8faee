import type { Side } from '../../sdk/context/register-context.js'
import type { SyncContext } from '../../sdk/context/sync-context.js'
import type { HookMoment } from '../../sdk/hook/client-hook.js'
import { isNotFound } from '../../sdk/kube/error.js'
import { keyOf } from '../../sdk/kube/key.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { Resource } from '../../sdk/kube/resource.js'
import type { VClusterVersion } from '../vcluster-options.js'
import type { PluginHooks } from './plugin-hooks.js'

/** What a {@link HookedCluster} is made of. */
export interface HookedClusterOptions<T extends KubeObject> {
  side: Side
  ctx: Pick<SyncContext, 'virtual' | 'host' | 'signal'>
  resource: Resource<T>
  hooks: PluginHooks
  version: VClusterVersion
}

/** What a write answers: the object that was asked for, with the server's metadata, or all that the server answered. */
type Answers = 'asked' | 'answered'

/**
 * One cluster as vcluster's own syncers see it: what they read is shown to the hooks, and what they write is shown to
 * them before (`pkg/util/pluginhookclient/client.go` @ vcluster v0.36.1).
 */
export class HookedCluster<T extends KubeObject> {
  readonly #options: HookedClusterOptions<T>

  constructor(options: HookedClusterOptions<T>) {
    this.#options = options
  }

  /** The object as a read shows it. */
  got(object: T): Promise<T> {
    return this.#shown('Get', object)
  }

  /** Answers what was asked for, before the hooks, as it stands now: with the server's metadata; or what the server answered. */
  async create(object: T, answers: Answers = 'asked'): Promise<T> {
    const { version, resource, signal } = this.#call
    const given = version === '0.19' ? withNoTime(object) : object
    const shown = await this.#shown('Create', given)
    const created = await this.#client.create(resource, withoutNoTime(shown), { signal })
    return answers === 'answered' ? created : standing(object, created)
  }

  /** See {@link create}; with `status` that alone. */
  async update(
    object: T,
    { status = false, answers = 'asked' }: { status?: boolean; answers?: Answers } = {},
  ): Promise<T> {
    const { resource, signal } = this.#call
    const shown = await this.#shown('Update', object)
    const part = status ? { subresource: 'status' } : {}
    const updated = await this.#client.update(resource, shown, { signal, ...part })
    return answers === 'answered' ? updated : standing(object, updated)
  }

  /** Deletes this very object, if it is still there. */
  async delete(object: T, { gracePeriodSeconds }: { gracePeriodSeconds?: number } = {}): Promise<void> {
    const { resource, signal } = this.#call
    await this.#shown('Delete', object)
    const { uid } = object.metadata
    const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }
    try {
      await this.#client.delete(resource, keyOf(object), { signal, ...(uid && { uid }), ...grace })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  #shown(verb: 'Get' | 'Create' | 'Update' | 'Delete', object: T): Promise<T> {
    const { side, hooks, resource } = this.#options
    const moment: HookMoment = `${verb}${side === 'host' ? 'Physical' : 'Virtual'}`
    return hooks.shown(moment, resource, object)
  }

  get #client() {
    const { ctx, side } = this.#options
    return ctx[side].client
  }

  get #call() {
    const { resource, version, ctx } = this.#options
    return { resource, version, signal: ctx.signal }
  }
}

/** Up to 0.19 an object that is being created has a time that is none; one that is created anew has that of the old one. */
const withNoTime = <T extends KubeObject>(object: T): T => ({
  ...object,
  metadata: { creationTimestamp: null, ...object.metadata },
})

function withoutNoTime<T extends KubeObject>(object: T): T {
  const { creationTimestamp, ...metadata } = object.metadata
  return creationTimestamp ? object : { ...object, metadata }
}

function standing<T extends KubeObject>(asked: T, { metadata }: T): T {
  const { labels, annotations } = asked.metadata
  const { labels: _, annotations: __, ...identity } = metadata
  const kept = { ...(labels && { labels }), ...(annotations && { annotations }) }
  return { ...asked, metadata: { ...identity, ...kept } }
}
