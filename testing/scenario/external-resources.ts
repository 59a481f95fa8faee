import { formatKey, keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Effect, Thing } from '../../sdk/operator/effect/effect.js'
import { formatThing } from '../../sdk/operator/effect/thing-ref.js'
import type { SimulatedProcess } from '../faults/simulated-process.js'
import { outside } from '../recorder/recorded-write.js'
import type { RequestRecorder } from '../recorder/request-recorder.js'

/** The resources outside Kubernetes that the effects of one run created. */
export class ExternalResources {
  /** The ids of the existing resources, by effect and object. */
  readonly #ids = new Map<string, Set<string>>()
  readonly #problems: string[] = []

  /** One sentence for each resource that was created a second time. */
  get problems(): readonly string[] {
    return this.#problems
  }

  /** The number of existing resources, by effect and object, for example `bucket of default/photos`. */
  get counts(): ReadonlyMap<string, string> {
    const remaining = [...this.#ids].filter(([, ids]) => ids.size > 0)
    return new Map(remaining.map(([name, ids]) => [`${outside} ${name}`, `${ids.size} made`]))
  }

  /** Records the result of `create`. An idempotent `create` may return the same id again. */
  recordCreated(effect: string, object: KubeObject, { id }: Thing): void {
    const name = nameOf(effect, object)
    const ids = this.#ids.get(name) ?? new Set()
    ids.add(id)
    this.#ids.set(name, ids)
    if (ids.size > 1) this.#problems.push(`effect ${name} was made twice: ${[...ids].join(', ')}`)
  }

  recordRemoved(effect: string, object: KubeObject, id: string): void {
    this.#ids.get(nameOf(effect, object))?.delete(id)
  }
}

const nameOf = (effect: string, object: KubeObject) => `${effect} of ${formatKey(keyOf(object))}`

/** Counts the things of each key on their own. */
const withKey = (effect: string, key: string) => formatThing({ name: effect, key })

/** Options of {@link recordedEffect}. */
export interface RecordedEffectOptions {
  name: string
  externalResources: ExternalResources
  recorder: Pick<RequestRecorder, 'outsideWrite'>
  process: SimulatedProcess
}

/** An effect whose `create` and `remove` count as writes of the program, at which a process can crash. */
export function recordedEffect<T extends KubeObject>(
  effect: Effect<T>,
  { name, externalResources, recorder, process }: RecordedEffectOptions,
): Effect<T> {
  const write = (method: 'POST' | 'DELETE', object: KubeObject) => {
    const { namespace, name: of } = keyOf(object)
    const target = { collection: name, plural: name, namespace, name: of, subresource: '' }
    return { cluster: outside, method, target }
  }
  return {
    ...(effect.keyed && { keyed: true }),
    ...(effect.token && { token: (object, key) => effect.token?.(object, key) ?? '' }),
    find: async (ctx, token) => process.whileAlive(await effect.find(ctx, token)),
    // Each run calls `update`, and most calls change nothing, so they are not recorded.
    ...(effect.update && {
      update: async (ctx, resource) => process.whileAlive((await effect.update?.(ctx, resource)) ?? resource),
    }),
    create: (ctx, token) =>
      recorder.outsideWrite(write('POST', ctx.object as KubeObject), process, async () => {
        const created = await effect.create(ctx, token)
        externalResources.recordCreated(withKey(name, ctx.key), ctx.object as KubeObject, created)
        return created
      }),
    remove: (ctx, id) =>
      recorder.outsideWrite(write('DELETE', ctx.object as KubeObject), process, async () => {
        await effect.remove(ctx, id)
        externalResources.recordRemoved(withKey(name, ctx.key), ctx.object as KubeObject, id)
      }),
  }
}
