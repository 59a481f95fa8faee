import type { Key } from '../kube/key.js'

/** A namespace gets a worker while it holds fewer than so many times the workers that are free. */
const heldPerFree = 3

/**
 * How many workers one namespace may hold at a time: one whose runs take long, or never end, must leave some for the
 * others. From four workers on the first namespace gets three quarters of them at most (rounded up), and a second three
 * quarters of the rest. A namespace that holds none may always take one that is free, so that none waits for ever, and
 * what belongs to no namespace has no budget.
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
    // The objects of a cluster-scoped kind have nobody to leave workers for.
    if (namespace === '') return true
    const held = this.#held.get(namespace) ?? 0
    const free = this.#workers - this.#namespaceOf.size
    return held === 0 || held < heldPerFree * free
  }

  /** A run has begun; `id` is its key's `formatKey`. */
  take(id: string, { namespace }: Key): void {
    this.#namespaceOf.set(id, namespace)
    this.#held.set(namespace, (this.#held.get(namespace) ?? 0) + 1)
  }

  /** The run's worker is free again. */
  release(id: string): void {
    const namespace = this.#namespaceOf.get(id)
    if (namespace === undefined) return
    this.#namespaceOf.delete(id)
    const held = (this.#held.get(namespace) ?? 1) - 1
    if (held > 0) this.#held.set(namespace, held)
    else this.#held.delete(namespace)
  }
}
