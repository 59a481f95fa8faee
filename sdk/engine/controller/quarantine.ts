import { formatKey, type Key } from '../kube/key.js'
import type { Resource } from '../kube/resource.js'
import { isSecret } from '../kube/resource.js'
import type { Metrics } from '../observe/metrics.js'

/** After this many failures in a row that its object caused, a key runs at most once a minute. */
export const failuresBefore = 10

/** The minimum time between two runs of a key in quarantine, in milliseconds. */
export const quarantineMs = 60_000

/** Makes the error that is reported for a key that enters quarantine. For a Secret it does not quote the cause. */
export function quarantineError(resource: Resource, error: unknown): Error {
  const why = isSecret(resource) || !(error instanceof Error) ? '' : `, the last time by: ${error.message}`
  const message = `The runs failed ${failuresBefore} times in a row${why}`
  return new Error(
    `${message}. It is tried again at most once a minute; change what is wrong, and wait a minute.`,
  )
}

/**
 * Keys whose runs fail again and again because of their objects. Each key runs at most once a minute, whatever changes,
 * until a run succeeds. No key is given up. Only the deletion of the object triggers one run at once, because a
 * deletion needs other work than the work that failed.
 */
export class Quarantine {
  readonly #failures = new Map<string, number>()
  readonly #deleted = new Set<string>()
  #size = 0

  constructor({ name, metrics }: { name: string; metrics: Metrics }) {
    metrics.gauge({
      name: 'sync_quarantined_objects',
      help: 'Objects whose runs failed so often that they are tried once a minute at most.',
      labelNames: ['controller'],
      follow: (gauge) => gauge.set({ controller: name }, this.#size),
    })
  }

  /** Records a failure. Returns whether the key is in quarantine now, and whether it has just entered. */
  recordFailure(key: Key): { isHeld: boolean; isNews: boolean } {
    const id = formatKey(key)
    const failures = (this.#failures.get(id) ?? 0) + 1
    this.#failures.set(id, failures)
    const isNews = failures === failuresBefore
    if (isNews) this.#size++
    return { isHeld: failures >= failuresBefore, isNews }
  }

  /** The number of keys in quarantine. */
  get size(): number {
    return this.#size
  }

  /** Whether the key is in quarantine. */
  holds(key: Key): boolean {
    return (this.#failures.get(formatKey(key)) ?? 0) >= failuresBefore
  }

  /** Whether to run a key now whose object is deleted or gone: true once during each quarantine. */
  admitDeletion(key: Key): boolean {
    const id = formatKey(key)
    if (!this.holds(key) || this.#deleted.has(id)) return false
    this.#deleted.add(id)
    return true
  }

  /**
   * Records that the key's run succeeded, or failed for a reason other than its object. Returns whether the key leaves
   * the quarantine.
   */
  release(key: Key): boolean {
    const wasHeld = this.holds(key)
    const id = formatKey(key)
    this.#failures.delete(id)
    this.#deleted.delete(id)
    if (wasHeld) this.#size--
    return wasHeld
  }
}
