import { canonicalJson } from '../../../engine/kube/canonical-json.js'
import { sha256Hex } from '../../../engine/kube/concat-name.js'
import type { Clock } from '../../../engine/time/clock.js'
import type { Side } from '../../context/register-context.js'

/** A field that is copied from one side to the other. */
export interface FieldMove {
  readonly path: string
  /** The side whose value both sides get. */
  readonly from: Side
  /** The value on that side; undefined if the side has removed it. */
  readonly value: unknown
}

/** The last move of a field, and the last value that came from each side. */
interface LastMoves {
  readonly from: Side
  /** The time of the last move, in milliseconds of the clock. */
  readonly atMs: number
  /** The digest of the last value from each side, because values may be secret, and long. */
  readonly digests: Partial<Readonly<Record<Side, string>>>
}

/**
 * The longest time between a move and a move that counts as the answer to it, in milliseconds; longer than any pause.
 */
const memoryMs = 15 * 60_000
/** The maximum number of remembered fields of an object, because tenants may choose the names of fields. */
const maxFields = 100

/**
 * Remembers which values were copied from which side to the other. Programs that undo each other's changes repeat the
 * same values; normal changes, and requests that the other side answers, have new values. `CopyContest` asks before
 * each exchange of fields, and records the moves that it allows.
 */
export class FieldExchange {
  readonly #clock: Pick<Clock, 'now'>
  /** For the id of each object, the moves of its fields by their paths, the oldest first. */
  readonly #movesByObject = new Map<string, Map<string, LastMoves>>()
  /** The number of remembered objects above which those without a recent move are forgotten. */
  #sweepSize = 1000

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** The number of remembered fields of an object. */
  countOf(id: string): number {
    return this.#movesByObject.get(id)?.size ?? 0
  }

  /** The fields that a side sets again to the value that the other side has replaced. */
  fieldsSetBack(id: string, moves: readonly FieldMove[]): string[] {
    const movesByPath = this.#movesByObject.get(id)
    const oldestMs = this.#clock.now() - memoryMs
    return moves
      .filter(({ path, from, value }) => {
        const lastMove = movesByPath?.get(path)
        if (!lastMove || lastMove.from === from || lastMove.atMs <= oldestMs) return false
        return lastMove.digests[from] === digestOf(value)
      })
      .map(({ path }) => path)
  }

  /** Records moves that are made now. */
  recordMoves(id: string, moves: readonly FieldMove[]): void {
    if (moves.length === 0) return
    const countOf = this.#movesByObject.get(id) ?? new Map<string, LastMoves>()
    this.#movesByObject.set(id, countOf)
    dropOld(countOf, this.#clock.now() - memoryMs)
    for (const { path, from, value } of moves) {
      const digests = { ...countOf.get(path)?.digests, [from]: digestOf(value) }
      countOf.delete(path)
      countOf.set(path, { from, atMs: this.#clock.now(), digests })
    }
    dropSurplus(countOf)
    if (this.#movesByObject.size > this.#sweepSize) this.#sweep()
  }

  /** Forgets the objects without a recent move. Called when there are many objects. */
  #sweep(): void {
    const oldestMs = this.#clock.now() - memoryMs
    for (const [id, fields] of this.#movesByObject) {
      dropOld(fields, oldestMs)
      if (fields.size === 0) this.#movesByObject.delete(id)
    }
    this.#sweepSize = Math.max(1000, 2 * this.#movesByObject.size)
  }
}

function dropOld(fields: Map<string, LastMoves>, oldestMs: number): void {
  for (const [path, { atMs }] of fields) if (atMs <= oldestMs) fields.delete(path)
}

/** Forgets the fields whose last moves are the oldest, above the maximum. */
function dropSurplus(fields: Map<string, LastMoves>): void {
  const surplus = fields.size - maxFields
  if (surplus > 0) for (const path of [...fields.keys()].slice(0, surplus)) fields.delete(path)
}

const digestOf = (value: unknown) => (value === undefined ? '' : sha256Hex(canonicalJson(value)).slice(0, 16))
