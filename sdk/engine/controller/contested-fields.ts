/**
 * Finds fields of written objects that another program sets back each time, and objects that it deletes each time. A
 * controller that repaired them at once each time would fight with that program as fast as both can. So the controller
 * pauses: after five repairs of a field without a minute of quiet, it waits for ten seconds, then for twice as long
 * after each further repair, up to ten minutes.
 */
import type { Clock } from '../time/clock.js'

/** The repairs of one field: writes that put it right after another program has changed it. */
interface Repairs {
  /** How many more repairs may be made without a pause. */
  repairsLeft: number
  /** The length of the last pause, in milliseconds; 0 before the first pause. */
  pauseMs: number
  /** The end of the last repair or pause, in milliseconds of the clock. */
  lastMs: number
  /** The report about the contest; undefined before it is reported. */
  message?: string
}

/** An object with contested fields. */
export interface Contest {
  /** Names the object, the fields and the managers; several reports one after the other. */
  readonly message: string
  /** The time until the object must be checked again, in milliseconds. */
  readonly resumeMs: number
}

/** Several contests as one: all messages, and the time of the first check; undefined if there are none. */
export function joinContests(contests: readonly Contest[]): Contest | undefined {
  if (contests.length === 0) return undefined
  return {
    message: contests.map(({ message }) => message).join(' '),
    resumeMs: Math.min(...contests.map(({ resumeMs }) => resumeMs)),
  }
}

/** The path of an object itself among its fields: other programs delete the object each time. */
export const wholeObject = 'the object'

const maxRepairsAtOnce = 5
/** The time without a change by the other program after which a field is not contested any more, in milliseconds. */
const quietMs = 60_000
const firstPauseMs = 10_000
const maxPauseMs = 600_000

/** The contested fields of the objects of one controller, which asks `mayRepair` before each repair. */
export class ContestedFields {
  readonly #clock: Pick<Clock, 'now'>
  /** For the id of each object, the repairs of each field by its path. */
  readonly #repairs = new Map<string, Map<string, Repairs>>()
  /** The number of objects above which uncontested objects are forgotten. */
  #sweepSize = 1000

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** Whether fields that differ may be repaired now. If so, the repair is counted. */
  mayRepair(id: string, paths: readonly string[]): boolean {
    const nowMs = this.#clock.now()
    if (this.#repairs.size > this.#sweepSize) this.#sweep()
    const fields = this.#fieldsOf(id, nowMs)
    const repairs = paths.map((path) => repairsOf(fields, path, nowMs))
    if (repairs.some(({ lastMs }) => nowMs < lastMs)) return false
    const spent = repairs.filter(({ repairsLeft }) => repairsLeft === 0)
    for (const repair of spent) pause(repair, nowMs)
    if (spent.length > 0) return false
    for (const repair of repairs)
      Object.assign(repair, { repairsLeft: repair.repairsLeft - 1, lastMs: nowMs })
    return true
  }

  /** Those of the fields that may not be repaired now, and whose contest is not reported yet. */
  unreported(id: string, paths: readonly string[]): string[] {
    const nowMs = this.#clock.now()
    const fields = this.#repairs.get(id)
    return paths.filter((path) => {
      const { lastMs = nowMs, message } = fields?.get(path) ?? {}
      return nowMs < lastMs && message === undefined
    })
  }

  /** Notes the report about contested fields of an object: who contests them. */
  recordMessage(id: string, paths: readonly string[], message: string): void {
    const fields = this.#repairs.get(id)
    for (const path of paths) Object.assign(fields?.get(path) ?? {}, { message })
  }

  /** The contest for the fields of an object; undefined if its fields are not contested now. */
  find(id: string): Contest | undefined {
    const nowMs = this.#clock.now()
    const repairs = [...(this.#repairs.get(id)?.values() ?? [])].filter(
      (repair) => nowMs < uncontestedAtMs(repair),
    )
    if (repairs.length === 0) this.forget(id)
    const messages = new Set(repairs.flatMap(({ message }) => message ?? []))
    if (messages.size === 0) return undefined
    const times = repairs.map((repair) => (nowMs < repair.lastMs ? repair.lastMs : uncontestedAtMs(repair)))
    return { message: [...messages].join(' '), resumeMs: Math.min(...times) - nowMs }
  }

  /** The repairs of an object. If none of its fields is contested any more, its repairs are forgotten. */
  #fieldsOf(id: string, nowMs: number): Map<string, Repairs> {
    const current = this.#repairs.get(id)
    if (current && [...current.values()].some((repairs) => nowMs < uncontestedAtMs(repairs))) return current
    const fresh = new Map<string, Repairs>()
    this.forget(id)
    this.#repairs.set(id, fresh)
    return fresh
  }

  /** Forgets the objects whose fields are not contested any more. */
  #sweep(): void {
    for (const id of this.#repairs.keys()) this.find(id)
    this.#sweepSize = Math.max(1000, 2 * this.#repairs.size)
  }

  /** Forgets an object that is gone. */
  forget(id: string): void {
    this.#repairs.delete(id)
  }
}

/** The time from which a field counts as uncontested, unless it is set back before. */
const uncontestedAtMs = ({ lastMs, pauseMs }: Repairs) => lastMs + quietMs + pauseMs

/** The repairs of a field; new ones if the field is not contested. */
function repairsOf(fields: Map<string, Repairs>, path: string, nowMs: number): Repairs {
  const current = fields.get(path)
  if (current && nowMs < uncontestedAtMs(current)) return current
  const fresh = { repairsLeft: maxRepairsAtOnce, pauseMs: 0, lastMs: nowMs }
  fields.set(path, fresh)
  return fresh
}

/** Starts a pause, after which one repair shows whether the other program still sets the field. */
function pause(repairs: Repairs, nowMs: number): void {
  repairs.pauseMs = Math.min(Math.max(firstPauseMs, 2 * repairs.pauseMs), maxPauseMs)
  repairs.lastMs = nowMs + repairs.pauseMs
  repairs.repairsLeft = 1
}
