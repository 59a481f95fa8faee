import type { Clock } from '../time/clock.js'

/** A refused object, and the origin that it was written for. */
export interface Refused {
  /** Objects of one origin may have one author, so that they say nothing about those of others. */
  readonly origin: string
  readonly object: string
}

/** Whom refusals speak of: one object, the objects of one origin, or all. */
export type Extent = 'object' | 'origin' | 'all'

/** A refusal that is older says nothing about a new one, in milliseconds; twice the longest wait of a circuit. */
const freshMs = 120_000
/** For how many circuits a refusal is remembered; the oldest is forgotten first. */
const mostRemembered = 1000

/**
 * Tells the refusal of one object from that of everybody. One object's refusal speaks for that object alone, because its
 * author may have provoked it. It takes a second object to speak for an origin, and another origin to speak for
 * all; and a write that is accepted in between takes back what was suspected.
 */
export class Witnesses {
  readonly #clock: Clock
  readonly #last = new Map<string, Refused & { atMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether nothing is suspected. */
  get isEmpty(): boolean {
    return this.#last.size === 0
  }

  /** Takes note of a refusal, and returns whom it and the one before it speak of. */
  refused(circuit: string, { origin, object }: Refused): Extent {
    const atMs = this.#clock.now()
    const before = this.#last.get(circuit)
    this.#last.delete(circuit)
    this.#last.set(circuit, { origin, object, atMs })
    this.#forgetOldest()
    if (before === undefined || atMs - before.atMs > freshMs) return 'object'
    if (before.origin !== origin) return 'all'
    return before.object === object ? 'object' : 'origin'
  }

  /** A write passed this circuit, so that whatever was refused before was refused for a reason of its own. */
  accepted(circuit: string): void {
    this.#last.delete(circuit)
  }

  #forgetOldest(): void {
    if (this.#last.size <= mostRemembered) return
    for (const oldest of this.#last.keys()) {
      this.#last.delete(oldest)
      return
    }
  }
}
