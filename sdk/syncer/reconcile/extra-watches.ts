import { concatMap, merge, type Observable } from 'rxjs'
import type { RegisterContext } from '../../context/register-context.js'
import { formatKey, type Key, keyOf } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import type { Resource } from '../../kube/resource.js'
import type { Change, Store } from '../../store/store.js'
import type { Watches, WatchOptions } from '../watches.js'

/** Collects the watches and keys that a syncer's `modifyController` adds. */
export class ExtraWatches implements Watches {
  readonly #ctx: RegisterContext
  readonly #name: string
  readonly #added: Observable<Key>[] = []
  readonly #stores: Store<never>[] = []

  constructor(ctx: RegisterContext, name: string) {
    this.#ctx = ctx
    this.#name = name
  }

  /** These keys and those that the added watches trigger. */
  with(keys$: Observable<Key>): Observable<Key> {
    return merge(keys$, ...this.#added)
  }

  watch<T extends KubeObject>(resource: Resource<T>, options: WatchOptions<T>): void {
    const { side, namespace } = options
    const scope = namespace === undefined ? {} : { namespace }
    const cluster = this.#ctx[side]
    const changes$ = cluster.changes$(resource, scope)
    this.#stores.push(cluster.store(resource, scope) as unknown as Store<never>)
    this.add(changes$.pipe(concatMap((change) => this.#keysOf(change, options))))
  }

  add(keys$: Observable<Key>): void {
    this.#added.push(keys$)
  }

  /** The caches of the kinds that were added. */
  get stores(): readonly Store<never>[] {
    return this.#stores
  }

  /** A mapping is user code: an error of it is logged and must not end the stream for other keys. */
  #keysOf<T extends KubeObject>({ object, previous }: Change<T>, { keysOf }: WatchOptions<T>): Key[] {
    const keys = new Map<string, Key>()
    for (const state of previous ? [object, previous] : [object]) {
      try {
        for (const key of keysOf(state)) keys.set(formatKey(key), key)
      } catch (error) {
        const about = { syncer: this.#name, object: formatKey(keyOf(state)), error }
        this.#ctx.logger.error(about, 'mapping a watched object to keys failed')
      }
    }
    return [...keys.values()]
  }
}
