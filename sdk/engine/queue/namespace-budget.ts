import type { Key } from '../kube/key.js'

/** A namespace gets a worker while it holds fewer than this many times the free workers. */
const heldPerFree = 3

/**
 * Limits the workers that one namespace may hold, so that a namespace with long or endless runs leaves some for the
 * others. From four workers on the first namespace gets at most three quarters of them (rounded up), and a second one
 * three quarters of the rest. A namespace that holds no worker may always take a free one, so that no namespace waits
 * forever. Cluster-scoped keys have no limit.
 */
export class NamespaceBudget {
  readonly #workers: number
  readonly #namespaceOf = new Map<string, string>()
  readonly #held = new Map<string, number>()

  constructor(workers: number) {
    this.#workers = workers
  }

  /** Whether a run of the namespace may begin. */
  allows(namespace: string): boolean {
    // Cluster-scoped keys have no namespace, so no per-namespace limit applies.
    if (namespace === '') return true
    const held = this.#held.get(namespace) ?? 0
    const free = this.#workers - this.#namespaceOf.size
    return held === 0 || held < heldPerFree * free
  }

  /** Counts a run that begins; `id` is its key's `formatKey`. */
  take(id: string, { namespace }: Key): void {
    this.#namespaceOf.set(id, namespace)
    this.#held.set(namespace, (this.#held.get(namespace) ?? 0) + 1)
  }

  /** Frees the worker of a run. */
  release(id: string): void {
    const namespace = this.#namespaceOf.get(id)
    if (namespace === undefined) return
    this.#namespaceOf.delete(id)
    const held = (this.#held.get(namespace) ?? 1) - 1
    if (held > 0) this.#held.set(namespace, held)
    else this.#held.delete(namespace)
  }
}
