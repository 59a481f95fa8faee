import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Store, Unconfirmed } from '../../engine/store/store.js'
import type { EndedNamespaces } from './ended-namespaces.js'

/**
 * The store of one namespace. It counts as filled once the namespace is gone or ends, and its objects may not be
 * listed.
 */
export class NamespaceStore<T extends KubeObject> implements Store<T> {
  readonly #inner: Store<T>
  readonly #namespace: string
  readonly #ended: EndedNamespaces

  constructor(inner: Store<T>, namespace: string, ended: EndedNamespaces) {
    this.#inner = inner
    this.#namespace = namespace
    this.#ended = ended
  }

  get size(): number {
    return this.#inner.size
  }

  get synced(): boolean {
    return this.#inner.synced || this.#ended.has(this.#namespace)
  }

  get served(): boolean {
    return this.#inner.served
  }

  get leftOut(): number {
    return this.#inner.leftOut
  }

  get resourceVersion(): string | undefined {
    return this.#inner.resourceVersion
  }

  get latestKnown(): string | undefined {
    return this.#inner.latestKnown
  }

  get unconfirmed(): Unconfirmed {
    return this.#inner.unconfirmed
  }

  get(key: Key): T | undefined {
    return this.#inner.get(key)
  }

  list(namespace?: string): T[] {
    return this.#inner.list(namespace)
  }

  addIndex(name: string, valuesOf: (object: T) => readonly string[]): void {
    this.#inner.addIndex(name, valuesOf)
  }

  byIndex(name: string, value: string): T[] {
    return this.#inner.byIndex(name, value)
  }

  whenSynced(signal?: AbortSignal): Promise<void> {
    return this.#orEnded((until) => this.#inner.whenSynced(until), signal)
  }

  whenServed(signal?: AbortSignal): Promise<void> {
    return this.#orEnded((until) => this.#inner.whenServed(until), signal)
  }

  whenAnswered(signal?: AbortSignal): Promise<void> {
    return this.#inner.whenAnswered(signal)
  }

  /** Waits for the store or for the end of the namespace, whichever comes first, and cancels the other wait. */
  async #orEnded(
    waitForStore: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const waitEnded = new AbortController()
    const until = signal ? AbortSignal.any([signal, waitEnded.signal]) : waitEnded.signal
    const waits = [waitForStore(until), this.#ended.whenEnded(this.#namespace, until)]
    // The other wait rejects when it is cancelled.
    for (const wait of waits) wait.catch(() => {})
    try {
      await Promise.race(waits)
    } finally {
      waitEnded.abort()
    }
  }
}
