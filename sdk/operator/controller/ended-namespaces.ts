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

/** The time between two checks of a namespace whose objects may not be listed, in milliseconds. */
const checkIntervalMs = 10_000

type ListedStore = Pick<Store, 'synced' | 'whenAnswered'>

/**
 * Records which namespaces are gone or being deleted, so that a controller does not wait forever for a list of their
 * objects: the Role that permits the list is deleted together with its namespace. A namespace is read only while the
 * list of its objects is forbidden.
 */
export class EndedNamespaces {
  readonly #options: EndedNamespacesOptions
  readonly #ended = new Set<string>()
  readonly #checkedStores = new WeakSet<object>()
  readonly #waiters = new Set<() => void>()

  constructor(options: EndedNamespacesOptions) {
    this.#options = options
  }

  /** Whether the namespace is known to be gone or being deleted. */
  has(namespace: string): boolean {
    return this.#ended.has(namespace)
  }

  /** Checks the namespace regularly until the store is synced. A second call for the same store does nothing. */
  checkWhileForbidden<T extends KubeObject>(namespace: string, store: Store<T>): void {
    if (this.#checkedStores.has(store)) return
    this.#checkedStores.add(store)
    // Rejects only when the program stops.
    void this.#checkUntilSynced(namespace, store).catch(() => {})
  }

  /** Resolves when the namespace is known to be gone or being deleted; rejects with the reason of the signal. */
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

  async #checkUntilSynced(namespace: string, store: ListedStore): Promise<void> {
    const { clock, stop } = this.#options
    await store.whenAnswered(stop)
    while (!store.synced) {
      if (await this.#isEnded(namespace)) this.#ended.add(namespace)
      else this.#ended.delete(namespace)
      for (const check of [...this.#waiters]) check()
      await sleep(clock, checkIntervalMs, stop)
    }
    // The list succeeded, so the namespace exists.
    this.#ended.delete(namespace)
  }

  /** Whether the namespace is gone or being deleted; `false` if the program may not read it. */
  async #isEnded(name: string): Promise<boolean> {
    try {
      const { metadata } = await this.#options.client.get(namespaces, { namespace: '', name })
      return metadata.deletionTimestamp !== undefined
    } catch (error) {
      return isNotFound(error)
    }
  }
}
