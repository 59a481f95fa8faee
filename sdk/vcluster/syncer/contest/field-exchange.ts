import type { Clock } from '../../../engine/time/clock.js'
import type { Side } from '../../context/register-context.js'

/** A field that is brought from one side to the other. */
export interface FieldMove {
  readonly path: string
  /** The side whose value it gets on both. */
  readonly from: Side
}

interface Moved {
  readonly from: Side
  readonly at: number
}

/** The longest time between a move and one that counts as the answer to it; longer than any pause. */
const memoryMs = 15 * 60_000

/**
 * Remembers from which side fields were brought to the other, to tell programs that answer each other from changes of
 * one side.
 */
export class FieldExchange {
  readonly #clock: Pick<Clock, 'now'>
  readonly #moved = new Map<string, Map<string, Moved>>()
  /** The number of objects at which those without a recent move are forgotten. */
  #sweepAt = 1000

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** The fields that come from the side to which they were brought the last time. */
  turned(id: string, moves: readonly FieldMove[]): string[] {
    const known = this.#moved.get(id)
    const since = this.#clock.now() - memoryMs
    return moves
      .filter(({ path, from }) => {
        const last = known?.get(path)
        return last !== undefined && last.from !== from && last.at > since
      })
      .map(({ path }) => path)
  }

  /** Takes note of moves that are made now. */
  note(id: string, moves: readonly FieldMove[]): void {
    if (moves.length === 0) return
    const known = this.#moved.get(id) ?? new Map<string, Moved>()
    this.#moved.set(id, known)
    for (const { path, from } of moves) known.set(path, { from, at: this.#clock.now() })
    if (this.#moved.size > this.#sweepAt) this.#sweep()
  }

  #sweep(): void {
    const since = this.#clock.now() - memoryMs
    for (const [id, fields] of this.#moved)
      if ([...fields.values()].every(({ at }) => at <= since)) this.#moved.delete(id)
    this.#sweepAt = Math.max(1000, 2 * this.#moved.size)
  }
}
