import { Observable, Subject } from 'rxjs'
import { formatResource } from '../../engine/kube/resource.js'
import type { Store } from '../../engine/store/store.js'
import type { OwnedKind } from '../prune/owned-kind.js'

/** The members of a store that tell whether its kind is served and its objects are listed. */
type Cache = Pick<Store, 'synced' | 'served' | 'whenSynced' | 'whenServed'>

/**
 * The kinds that a controller does not wait for at its start. When a run asks for a kind that is not served, the kind
 * is awaited from then on.
 */
export class OptionalKinds {
  readonly #stop: AbortSignal
  readonly #awaited = new Set<string>()
  readonly #appeared = new Subject<string>()

  constructor(stop: AbortSignal) {
    this.#stop = stop
  }

  /** Emits a kind that a run has missed, when it is served: every key runs then. */
  get appeared$(): Observable<string> {
    return new Observable((subscriber) => this.#appeared.subscribe(subscriber))
  }

  /** Whether the kind is served, and its cache is filled. */
  isServed({ cluster, resource }: OwnedKind): boolean {
    const store = cluster.store(resource)
    if (store.served && store.synced) return true
    const kind = `${cluster.name} ${formatResource(resource)}`
    if (!this.#awaited.has(kind)) void this.#awaitKind(kind, store as unknown as Cache)
    return false
  }

  /** Waits until a kind is served and its cache is filled, and reports it then. */
  async #awaitKind(kind: string, store: Cache): Promise<void> {
    this.#awaited.add(kind)
    try {
      while (!(store.served && store.synced)) await store.whenServed(this.#stop)
    } catch {
      return // The program stops.
    }
    this.#awaited.delete(kind)
    this.#appeared.next(kind)
  }
}

/**
 * The cache of an optional kind, as the runs of a controller wait for it: it counts as filled while the kind is not
 * served.
 */
export function optionalCache<T extends Cache & Pick<Store, 'whenAnswered'>>(inner: T): Cache {
  const isReady = () => inner.synced || !inner.served
  const whenReady = async (signal?: AbortSignal) => {
    await inner.whenAnswered(signal)
    // The kind is served but not listed: the permission is missing.
    if (!isReady()) await inner.whenSynced(signal)
  }
  return {
    get synced() {
      return isReady()
    },
    served: true,
    whenSynced: whenReady,
    whenServed: whenReady,
  }
}
