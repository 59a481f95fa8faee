import omit from 'lodash/omit.js'
import { formatKey, type Key } from '../kube/key.js'
import type { ErrorReport } from '../observe/error-report.js'
import type { Clock } from '../time/clock.js'
import type { RecordedSubject, RunEntry, TimelineEntry } from './explanation-view.js'
import { KeyHistory } from './key-history.js'
import { LagWindows } from './lag-windows.js'
import { LatestErrors } from './latest-errors.js'

/** Something that a recorder noted, as JSON: another process can keep it as well. */
export type HistoryRecord = RunRecord | SubjectRecord

/** A run of a key ended. */
export interface RunRecord {
  readonly what: 'run'
  /** The name of the syncer or the controller. */
  readonly worker: string
  readonly key: Key
  readonly entry: RunEntry
  /** The number of keys that waited. */
  readonly waiting: number
  readonly error?: ErrorReport
}

/** An object was changed or written. */
export interface SubjectRecord {
  readonly what: 'subject'
  readonly subject: string
  readonly entry: TimelineEntry
}

/** How many runs a page may miss before it must ask for everything again. */
const maxRecent = 500

/** The latest writes whose changed fields are remembered: these are larger than all else of an entry. */
const maxDetailed = 2000

/** Many entries have the same millisecond, and their order matters. */
interface Numbered {
  readonly number: number
  entry: TimelineEntry
}

/** A run that ended, for pages that follow. */
export interface RecentRun extends Key {
  readonly syncer: string
  readonly result: RunEntry['result']
  readonly atMs: number
}

/** The record of one syncer or controller. */
export interface SyncerRecord {
  readonly windows: LagWindows
  readonly errors: LatestErrors
}

/** Keeps the latest records of a program in bounded memory, and answers questions about them. */
export class WorkHistory {
  readonly #clock: Clock
  readonly #history = new KeyHistory<Numbered>()
  /** The latest writes that have changed fields. */
  readonly #detailed: Numbered[] = []
  #entries = 0
  readonly #syncers = new Map<string, SyncerRecord>()
  readonly #recent: RecentRun[] = []
  #runs = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(record: HistoryRecord): void {
    if (record.what === 'subject') this.#note(record.subject, record.entry)
    else this.#addRun(record)
  }

  of(syncer: string): SyncerRecord {
    const record = this.#syncers.get(syncer) ?? {
      windows: new LagWindows(this.#clock),
      errors: new LatestErrors(),
    }
    this.#syncers.set(syncer, record)
    return record
  }

  /** The latest entry about a subject. */
  latest(subject: string): TimelineEntry | undefined {
    return this.#history.of(subject).at(-1)?.entry
  }

  /** The timeline of a key: its runs, and the changes and writes of objects; oldest first. */
  timeline(worker: string, key: Key, subjects: readonly RecordedSubject[]): TimelineEntry[] {
    const runs = this.#history.of(runsOf(worker, key))
    const others = subjects.flatMap(({ subject, object }) =>
      this.#history.of(subject).map(({ number, entry }) => ({
        number,
        entry: object === undefined ? entry : { ...entry, object },
      })),
    )
    return [...runs, ...others].sort((a, b) => a.number - b.number).map(({ entry }) => entry)
  }

  /** The last run of a key, if it is remembered. */
  lastRun(worker: string, key: Key): RunEntry | undefined {
    const last = this.latest(runsOf(worker, key))
    return last?.what === 'run' ? last : undefined
  }

  /** How many runs have ended so far. */
  get runs(): number {
    return this.#runs
  }

  /** The runs after the first `runs`; only the latest runs are remembered. */
  runsSince(runs: number): readonly RecentRun[] {
    const missed = Math.min(this.#runs - runs, this.#recent.length)
    return missed > 0 ? this.#recent.slice(-missed) : []
  }

  #addRun({ worker, key, entry, waiting, error }: RunRecord): void {
    const { windows, errors } = this.of(worker)
    const { atMs, result } = entry
    this.#note(runsOf(worker, key), entry)
    windows.add(error !== undefined, entry.lagMs, waiting)
    if (error) errors.add(error, { key, atMs })
    if (this.#recent.push({ syncer: worker, ...key, result, atMs }) > maxRecent) this.#recent.shift()
    this.#runs++
  }

  #note(subject: string, entry: TimelineEntry): void {
    const numbered = { number: this.#entries++, entry }
    this.#history.add(subject, numbered)
    if (entry.what === 'write' && entry.changes) this.#detailed.push(numbered)
    const old = this.#detailed.length > maxDetailed ? this.#detailed.shift() : undefined
    if (old) old.entry = withoutChanges(old.entry)
  }
}

const runsOf = (worker: string, key: Key) => `run ${worker} ${formatKey(key)}`

const withoutChanges = (entry: TimelineEntry): TimelineEntry =>
  entry.what === 'write' ? omit(entry, 'changes') : entry
