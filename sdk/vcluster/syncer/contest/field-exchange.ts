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

/** The last moves of a field. */
interface Moved {
  readonly from: Side
  readonly at: number
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
 * same values; normal changes, and requests that the other side answers, have new values.
 */
export class FieldExchange {
  readonly #clock: Pick<Clock, 'now'>
  /** For the id of each object, the moves of its fields by their paths, the oldest first. */
  readonly #moved = new Map<string, Map<string, Moved>>()
  /** The number of objects above which objects without a recent move are forgotten. */
  #sweepAt = 1000

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** The number of remembered fields of an object. */
  known(id: string): number {
    return this.#moved.get(id)?.size ?? 0
  }

  /** The fields that a side sets again to the value that the other side has replaced. */
  fieldsSetBack(id: string, moves: readonly FieldMove[]): string[] {
    const known = this.#moved.get(id)
    const since = this.#clock.now() - memoryMs
    return moves
      .filter(({ path, from, value }) => {
        const last = known?.get(path)
        if (!last || last.from === from || last.at <= since) return false
        return last.digests[from] === digestOf(value)
      })
      .map(({ path }) => path)
  }

  /** Records moves that are made now. */
  note(id: string, moves: readonly FieldMove[]): void {
    if (moves.length === 0) return
    const known = this.#moved.get(id) ?? new Map<string, Moved>()
    this.#moved.set(id, known)
    dropOld(known, this.#clock.now() - memoryMs)
    for (const { path, from, value } of moves) {
      const digests = { ...known.get(path)?.digests, [from]: digestOf(value) }
      known.delete(path)
      known.set(path, { from, at: this.#clock.now(), digests })
    }
    dropSurplus(known)
    if (this.#moved.size > this.#sweepAt) this.#sweep()
  }

  #sweep(): void {
    const since = this.#clock.now() - memoryMs
    for (const [id, fields] of this.#moved) {
      dropOld(fields, since)
      if (fields.size === 0) this.#moved.delete(id)
    }
    this.#sweepAt = Math.max(1000, 2 * this.#moved.size)
  }
}

function dropOld(fields: Map<string, Moved>, since: number): void {
  for (const [path, { at }] of fields) if (at <= since) fields.delete(path)
}

/** Forgets the fields whose last moves are the oldest, above the maximum. */
function dropSurplus(fields: Map<string, Moved>): void {
  const surplus = fields.size - maxFields
  if (surplus > 0) for (const path of [...fields.keys()].slice(0, surplus)) fields.delete(path)
}

const digestOf = (value: unknown) => (value === undefined ? '' : sha256Hex(canonicalJson(value)).slice(0, 16))
