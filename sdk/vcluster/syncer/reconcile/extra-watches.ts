import { merge, type Observable } from 'rxjs'
import { keysOfChange } from '../../../engine/controller/keys-of-change.js'
import type { Key } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { checkOptions, type OptionTypes } from '../../../engine/manager/check-options.js'
import { lazyLogger } from '../../../engine/observe/lazy-logger.js'
import { flattenMap } from '../../../engine/store/flatten-map.js'
import type { Store } from '../../../engine/store/store.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncerWatchOptions, Watches } from '../watches.js'

const optionTypes: OptionTypes<SyncerWatchOptions<KubeObject>> = {
  side: 'any',
  keysOf: 'any',
  namespace: 'any',
}

/** Collects the watches and keys that a syncer's `modifyController` adds, for the controller of the syncer. */
export class ExtraWatches implements Watches {
  readonly #ctx: RegisterContext
  readonly #name: string
  readonly #added: Observable<Key>[] = []
  readonly #stores: Store<never>[] = []

  constructor(ctx: RegisterContext, name: string) {
    this.#ctx = ctx
    this.#name = name
  }

  /** Merges `keys$` with the keys that the added watches trigger. */
  mergedWith(keys$: Observable<Key>): Observable<Key> {
    return merge(keys$, ...this.#added)
  }

  watch<T extends KubeObject>(resource: Resource<T>, options: SyncerWatchOptions<T>): void {
    checkOptions(`a watch of the syncer ${this.#name}`, options, optionTypes)
    const { side, namespace, keysOf } = options
    const scope = namespace === undefined ? {} : { namespace }
    const cluster = this.#ctx[side]
    const changes$ = cluster.changes$(resource, scope)
    this.#stores.push(cluster.store(resource, scope) as unknown as Store<never>)
    const mapping = { logger: lazyLogger(() => this.#ctx.logger.child({ controller: this.#name })), keysOf }
    this.add(changes$.pipe(flattenMap((change) => keysOfChange(change, mapping))))
  }

  add(keys$: Observable<Key>): void {
    this.#added.push(keys$)
  }

  /** The caches of the kinds that were added. */
  get stores(): readonly Store<never>[] {
    return this.#stores
  }
}
