import { formatKey } from '../../engine/kube/key.js'
import type { Clock } from '../../engine/time/clock.js'
import type { Owner } from '../owner/owner.js'
import type { NotedKind } from './owned-kinds.js'

/** The time for which a kind must be missing before it counts as gone, in milliseconds. */
export const confirmMs = 60_000

/**
 * The number of missing kinds that are remembered for a primary: twice those that one run handles. The oldest, which is
 * dealt with, is forgotten.
 */
const maxKinds = 64

/** The missing kinds of a primary. */
interface Missing {
  readonly uid: string
  readonly sinceMs: Map<NotedKind, number>
}

/**
 * Kinds that discovery does not name, for each primary that is being deleted. One such answer proves nothing: a proxy
 * answers 404 for a server that is down, and a group is missing while its APIService or its API server starts.
 */
export class MissingKinds {
  readonly #clock: Clock
  readonly #byPrimary = new Map<string, Missing>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** From when on a further answer counts, in milliseconds; undefined if the kind was not missing. */
  decidableAtMs(owner: Owner, note: NotedKind): number | undefined {
    const sinceMs = this.#of(owner)?.sinceMs.get(note)
    return sinceMs === undefined ? undefined : sinceMs + confirmMs
  }

  /** Whether a kind was found missing so recently that a further answer would not count. */
  isRecent(owner: Owner, note: NotedKind): boolean {
    return this.#clock.now() < (this.decidableAtMs(owner, note) ?? Number.NEGATIVE_INFINITY)
  }

  /** Records that a kind is missing; returns whether it was missing a minute ago, too, and counts as gone. */
  record(owner: Owner, note: NotedKind): boolean {
    const missing = this.#of(owner) ?? { uid: owner.uid, sinceMs: new Map() }
    this.#byPrimary.set(formatKey(owner.key), missing)
    const { sinceMs } = missing
    if (sinceMs.has(note)) return !this.isRecent(owner, note)
    sinceMs.set(note, this.#clock.now())
    const [oldest = note] = sinceMs.keys()
    if (sinceMs.size > maxKinds) sinceMs.delete(oldest)
    return false
  }

  /** Records that a kind is there. */
  found(owner: Owner, note: NotedKind): void {
    this.#of(owner)?.sinceMs.delete(note)
  }

  /** Forgets a primary that is gone. */
  forget(key: Owner['key']): void {
    this.#byPrimary.delete(formatKey(key))
  }

  /** The number of primaries that are remembered. */
  get size(): number {
    return this.#byPrimary.size
  }

  #of({ key, uid }: Owner): Missing | undefined {
    const missing = this.#byPrimary.get(formatKey(key))
    return missing?.uid === uid ? missing : undefined
  }
}
