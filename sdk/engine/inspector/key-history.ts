/** Options of {@link KeyHistory}. */
export interface KeyHistoryOptions {
  /**
   * How many subjects are remembered; default 5000, for a moment a quarter more. Those that nothing happened to for
   * longest are forgotten first.
   */
  maxSubjects?: number
  /** How many entries each has; default 24, the latest. */
  maxEntries?: number
}

/** Finding the oldest costs a walk over all that has gone, so many go at a time. */
const slack = 1.25

/** The last entries about each of many subjects, in bounded memory. */
export class KeyHistory<T> {
  readonly #maxSubjects: number
  readonly #maxEntries: number
  readonly #entries = new Map<string, T[]>()

  constructor({ maxSubjects = 5000, maxEntries = 24 }: KeyHistoryOptions = {}) {
    this.#maxSubjects = maxSubjects
    this.#maxEntries = maxEntries
  }

  add(subject: string, entry: T): void {
    const entries = this.#entries.get(subject) ?? []
    if (entries.length === this.#maxEntries) entries.shift()
    entries.push(entry)
    // The last changed subject is last in the map.
    this.#entries.delete(subject)
    this.#entries.set(subject, entries)
    if (this.#entries.size > this.#maxSubjects * slack) this.#forgetOldest()
  }

  #forgetOldest(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxSubjects) return
      this.#entries.delete(oldest)
    }
  }

  /** Oldest first; none for a subject that is not known or was forgotten. */
  of(subject: string): readonly T[] {
    return this.#entries.get(subject) ?? []
  }
}
