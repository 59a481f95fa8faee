import type { Clock } from '../time/clock.js'

/** A refused object, and the origin that it was written for. */
export interface RefusedObject {
  /** Objects of one origin may have one author, so their refusals say nothing about objects of other origins. */
  readonly origin: string
  readonly object: string
}

/** The writes that refusals concern: those of one object, those of one origin, or all. */
export type Extent = 'object' | 'origin' | 'all'

/** For how long a refusal counts, in milliseconds: twice the longest wait of a circuit. */
const relevantMs = 120_000
/** For how many circuits a refusal is remembered; the oldest is forgotten first. */
const maxRemembered = 1000

/**
 * Decides whether a refusal concerns one object, one origin or all writes. The refusal of one object concerns only that
 * object, because its author may have provoked it. The refusal of a second object concerns their origin, and a refusal
 * in another origin concerns all. An accepted write in between resets this.
 */
export class Witnesses {
  readonly #clock: Clock
  readonly #last = new Map<string, RefusedObject & { atMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether no refusal is remembered. */
  get isEmpty(): boolean {
    return this.#last.size === 0
  }

  /** Records a refusal, and returns which writes this refusal and the previous one concern. */
  recordRefusal(circuit: string, { origin, object }: RefusedObject): Extent {
    const atMs = this.#clock.now()
    const before = this.#last.get(circuit)
    this.#last.delete(circuit)
    this.#last.set(circuit, { origin, object, atMs })
    this.#forgetOldest()
    if (before === undefined || atMs - before.atMs > relevantMs) return 'object'
    if (before.origin !== origin) return 'all'
    return before.object === object ? 'object' : 'origin'
  }

  /** Records an accepted write of this circuit: earlier refusals concerned only their objects. */
  recordSuccess(circuit: string): void {
    this.#last.delete(circuit)
  }

  #forgetOldest(): void {
    if (this.#last.size <= maxRemembered) return
    for (const oldest of this.#last.keys()) {
      this.#last.delete(oldest)
      return
    }
  }
}
