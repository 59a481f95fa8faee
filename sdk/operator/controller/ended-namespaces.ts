import type { Client } from '../../engine/client/client.js'
import { namespaces } from '../../engine/kube/builtin.js'
import { isNotFound } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Store } from '../../engine/store/store.js'
import { type Clock, sleep } from '../../engine/time/clock.js'

/** Options of {@link EndedNamespaces}. */
export interface EndedNamespacesOptions {
  client: Client
  clock: Clock
  /** Aborts when the program stops. */
  stop: AbortSignal
}

/** The time between two reads of a namespace whose objects may not be listed, in milliseconds. */
const readAgainMs = 10_000

type ListedStore = Pick<Store, 'synced' | 'whenAnswered'>

/**
 * Knows which namespaces are gone or being deleted. A Role goes with its namespace, so the objects in it may not be
 * listed any more, and there is no list to wait for. A namespace is read only while a list of its objects is forbidden.
 */
export class EndedNamespaces {
  readonly #options: EndedNamespacesOptions
  readonly #ended = new Set<string>()
  readonly #followed = new WeakSet<object>()
  readonly #waiters = new Set<() => void>()

  constructor(options: EndedNamespacesOptions) {
    this.#options = options
  }

  /** Whether the namespace is known to be gone or to end. */
  has(namespace: string): boolean {
    return this.#ended.has(namespace)
  }

  /** Reads the namespace again and again while the store may not be listed. A second call for a store does nothing. */
  follow<T extends KubeObject>(namespace: string, store: Store<T>): void {
    if (this.#followed.has(store)) return
    this.#followed.add(store)
    void this.#readUntilSynced(namespace, store).catch(() => {}) // The program stops.
  }

  /** Resolves when the namespace is known to be gone or to end; rejects with the reason of the signal. */
  whenEnded(namespace: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!this.has(namespace)) return
        this.#waiters.delete(check)
        resolve()
      }
      const onAbort = () => {
        this.#waiters.delete(check)
        reject(signal?.reason)
      }
      this.#waiters.add(check)
      signal?.addEventListener('abort', onAbort, { once: true })
      check()
    })
  }

  async #readUntilSynced(namespace: string, store: ListedStore): Promise<void> {
    const { clock, stop } = this.#options
    await store.whenAnswered(stop)
    while (!store.synced) {
      if (await this.#isEnded(namespace)) this.#ended.add(namespace)
      else this.#ended.delete(namespace)
      for (const check of [...this.#waiters]) check()
      await sleep(clock, readAgainMs, stop)
    }
    this.#ended.delete(namespace)
  }

  /** Without the permission to read the namespace it counts as being there. */
  async #isEnded(name: string): Promise<boolean> {
    try {
      const { metadata } = await this.#options.client.get(namespaces, { namespace: '', name })
      return metadata.deletionTimestamp !== undefined
    } catch (error) {
      return isNotFound(error)
    }
  }
}
