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

/** The number of fields of one object that are counted alone: tenants may name fields as they like. */
const maxFields = 20
/** The length above which a path is not counted alone, in characters. */
const maxPathLength = 256
/** The path of all fields that are not counted alone. */
const furtherFields = 'further fields'

/**
 * The contested fields of the objects of one controller, which asks `mayRepair` before each repair and calls
 * `recordRepair` after each that was written: a write that fails does not count.
 */
export class ContestedFields {
  readonly #clock: Pick<Clock, 'now'>
  /** For the id of each object, the repairs of each field by its path. */
  readonly #repairs = new Map<string, Map<string, Repairs>>()
  /** The number of objects above which uncontested objects are forgotten. */
  #sweepSize = 1000

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /**
   * Whether an object with these differing fields may be repaired now: a repair writes all of them, so one field that
   * is not paused suffices. A field whose repairs are used up is paused from now on.
   */
  mayRepair(id: string, paths: readonly string[]): boolean {
    const nowMs = this.#clock.now()
    if (this.#repairs.size > this.#sweepSize) this.#sweep()
    const repairs = this.#repairsOf(id, paths, nowMs)
    for (const repair of repairs) if (repair.repairsLeft === 0 && nowMs >= repair.lastMs) pause(repair, nowMs)
    return [...repairs].some(({ lastMs }) => nowMs >= lastMs)
  }

  /** Counts a repair of these fields that was written. Pauses are not shortened. */
  recordRepair(id: string, paths: readonly string[]): void {
    if (paths.length === 0) return
    const nowMs = this.#clock.now()
    for (const repair of this.#repairsOf(id, paths, nowMs)) {
      if (nowMs < repair.lastMs) continue
      repair.repairsLeft = Math.max(0, repair.repairsLeft - 1)
      repair.lastMs = nowMs
    }
  }

  /** Those of the fields that may not be repaired now, and whose contest is not reported yet. */
  unreported(id: string, paths: readonly string[]): string[] {
    const nowMs = this.#clock.now()
    const fields = this.#repairs.get(id)
    if (!fields) return []
    return paths.filter((path) => {
      const { lastMs = nowMs, message } = fields.get(nameIn(fields, path)) ?? {}
      return nowMs < lastMs && message === undefined
    })
  }

  /** Notes the report about contested fields of an object: who contests them. */
  recordMessage(id: string, paths: readonly string[], message: string): void {
    const fields = this.#repairs.get(id)
    if (!fields) return
    for (const path of paths) Object.assign(fields.get(nameIn(fields, path)) ?? {}, { message })
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

  /** The repairs of fields of an object. Those of fields that are not contested any more are forgotten. */
  #repairsOf(id: string, paths: readonly string[], nowMs: number): ReadonlySet<Repairs> {
    const fields = this.#repairs.get(id) ?? new Map<string, Repairs>()
    for (const [path, repairs] of fields) if (nowMs >= uncontestedAtMs(repairs)) fields.delete(path)
    this.#repairs.set(id, fields)
    return new Set(paths.map((path) => repairsIn(fields, nameIn(fields, path), nowMs)))
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

/** The name under which a field of an object is counted. */
const nameIn = (fields: ReadonlyMap<string, Repairs>, path: string) =>
  fields.has(path) || (fields.size < maxFields && path.length <= maxPathLength) ? path : furtherFields

/** The repairs of a field; new ones if it has none. */
function repairsIn(fields: Map<string, Repairs>, path: string, nowMs: number): Repairs {
  const repairs = fields.get(path) ?? { repairsLeft: maxRepairsAtOnce, pauseMs: 0, lastMs: nowMs }
  fields.set(path, repairs)
  return repairs
}

/** Starts a pause, after which one repair shows whether the other program still sets the field. */
function pause(repairs: Repairs, nowMs: number): void {
  repairs.pauseMs = Math.min(Math.max(firstPauseMs, 2 * repairs.pauseMs), maxPauseMs)
  repairs.lastMs = nowMs + repairs.pauseMs
  repairs.repairsLeft = 1
}
