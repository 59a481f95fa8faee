import type { Written } from '../client/client.js'
import type { Cluster } from '../cluster/cluster.js'
import type { RunEnd } from '../controller/run-end.js'
import { formatKey, type Key, keyOf } from '../kube/key.js'
import { apiVersionOf, type Resource } from '../kube/resource.js'
import type { Unit } from '../manager/unit.js'
import type { Change, StoreScope } from '../store/store.js'
import type { Clock } from '../time/clock.js'
import type { RunEntry, TimelineEntry } from './explanation-view.js'
import { type InspectedController, isInspectedController } from './inspected-controller.js'
import { KeyHistory } from './key-history.js'
import { LagWindows } from './lag-windows.js'
import { errorWithFrame, LatestErrors, shownError } from './latest-errors.js'

/** How many runs a page that looks on may miss before it has to ask for everything again. */
const maxRecent = 500

/** Many things happen in one millisecond, and the order of them matters. */
interface Numbered {
  readonly number: number
  readonly entry: TimelineEntry
}

/** A run that ended, for those who look on. */
export interface RecentRun extends Key {
  readonly syncer: string
  readonly result: RunEnd['result']
}

/** An object whose changes and writes belong to the timeline of a key. */
export interface RecordedObject {
  readonly cluster: string
  readonly resource: Resource
  readonly key: Key
  /** Names it in the timeline; left out for the object of the key, and for its copy. */
  readonly label?: string
}

/** Objects whose changes are recorded. */
export interface FollowedObjects {
  readonly cluster: Cluster
  readonly resource: Resource
  /** Default all of the resource. */
  readonly scope?: StoreScope
}

/** The parts of a syncer or a controller that its runs are recorded by. */
interface Recorded {
  readonly name: string
  readonly resource: Resource
}

/** A syncer or a controller, and the objects of its keys. */
export interface RecordedWorker extends Recorded {
  readonly follows: readonly FollowedObjects[]
}

/** The record of one syncer or controller. */
export interface SyncerRecord {
  readonly windows: LagWindows
  readonly errors: LatestErrors
}

/**
 * Remembers what happened lately, in bounded memory: a few map operations per run, change and write. Exists only while
 * the inspector is on.
 */
export class Recorder {
  readonly #clock: Clock
  readonly #history = new KeyHistory<Numbered>()
  #entries = 0
  readonly #syncers = new Map<string, SyncerRecord>()
  readonly #recent: RecentRun[] = []
  #runs = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Follows the changes of objects until the signal aborts. Returns the function to call at the end of each run. */
  attend(
    { follows, ...worker }: RecordedWorker,
    signal: AbortSignal,
  ): (end: RunEnd, waiting: number) => void {
    for (const objects of follows) this.#follow(objects, signal)
    const record = this.of(worker.name)
    return (end, waiting) => this.#ended(worker, record, end, waiting)
  }

  /**
   * A unit whose runs are recorded, if it is a controller. `make` makes the unit, which calls `onRunEnd` after each
   * run.
   */
  unit(make: (onRunEnd: (end: RunEnd) => void) => Unit, stop: AbortSignal): Unit {
    let record = (_end: RunEnd): void => {}
    const unit = make((end) => record(end))
    const { run } = unit
    if (!run) return unit
    return {
      ...unit,
      run: () => {
        const running = run()
        if (isInspectedController(running)) record = this.#attendController(running, stop)
        return running
      },
    }
  }

  #attendController(running: InspectedController, stop: AbortSignal): (end: RunEnd) => void {
    const { name } = running
    const { resource, cluster, owns } = running.inspection
    const record = this.attend({ name, resource, follows: [{ cluster, resource }, ...owns] }, stop)
    return (end) => record(end, running.load().waiting)
  }

  /** A write of the plugin's that the API server accepted. */
  written(side: string, written: Written): void {
    const key = written.deleted ? written.key : keyOf(written.object)
    this.#note(subjectOf(side, written.resource, key), {
      what: 'write',
      atMs: this.#nowMs(),
      side,
      verb: written.deleted ? 'deleted' : 'written',
      resourceVersion: written.deleted ? '' : (written.object.metadata.resourceVersion ?? ''),
    })
  }

  of(syncer: string): SyncerRecord {
    const record = this.#syncers.get(syncer) ?? {
      windows: new LagWindows(this.#clock),
      errors: new LatestErrors(),
    }
    this.#syncers.set(syncer, record)
    return record
  }

  /** The timeline of a key: its runs, and the changes and writes of objects; oldest first. */
  timeline(worker: Pick<Recorded, 'name'>, key: Key, objects: readonly RecordedObject[]): TimelineEntry[] {
    const runs = this.#history.of(runsOf(worker, key))
    const others = objects.flatMap(({ cluster, resource, key, label }) =>
      this.#history.of(subjectOf(cluster, resource, key)).map(({ number, entry }) => ({
        number,
        entry: label === undefined ? entry : { ...entry, object: label },
      })),
    )
    return [...runs, ...others].sort((a, b) => a.number - b.number).map(({ entry }) => entry)
  }

  /** The last run of a key, if it is remembered. */
  lastRun(worker: Pick<Recorded, 'name'>, key: Key): RunEntry | undefined {
    const last = this.#history.of(runsOf(worker, key)).at(-1)?.entry
    return last?.what === 'run' ? last : undefined
  }

  /** How many runs have ended so far. */
  get runs(): number {
    return this.#runs
  }

  /** The runs that ended after so many had; only the latest are remembered. */
  runsSince(runs: number): readonly RecentRun[] {
    const missed = Math.min(this.#runs - runs, this.#recent.length)
    return missed > 0 ? this.#recent.slice(-missed) : []
  }

  #ended(
    worker: Recorded,
    { windows, errors }: SyncerRecord,
    { key, error, ...end }: RunEnd,
    waiting: number,
  ): void {
    const atMs = this.#nowMs()
    const shown = error === undefined ? undefined : shownError(worker.resource, error)
    const entry: RunEntry = { what: 'run', atMs, ...end, ...(shown && { error: errorWithFrame(shown) }) }
    this.#note(runsOf(worker, key), entry)
    windows.add(shown !== undefined, end.lagMs, waiting)
    if (shown) errors.add(shown, { key, atMs })
    if (this.#recent.push({ syncer: worker.name, ...key, result: end.result }) > maxRecent)
      this.#recent.shift()
    this.#runs++
  }

  #follow({ cluster, resource, scope = {} }: FollowedObjects, signal: AbortSignal): void {
    const following = cluster
      .changes$(resource, scope)
      .subscribe((touched) => this.#changed(cluster.name, resource, touched))
    signal.addEventListener('abort', () => following.unsubscribe(), { once: true })
  }

  #changed(side: string, resource: Resource, { key, object, previous, gone }: Change): void {
    const { resourceVersion = '' } = object.metadata
    const verb = gone ? 'gone' : previous ? 'changed' : 'appeared'
    const subject = subjectOf(side, resource, key)
    // Several controllers may follow the kind.
    const last = this.#history.of(subject).at(-1)?.entry
    if (last?.what === 'change' && last.verb === verb && last.resourceVersion === resourceVersion) return
    this.#note(subject, { what: 'change', atMs: this.#nowMs(), side, verb, resourceVersion })
  }

  #note(subject: string, entry: TimelineEntry): void {
    this.#history.add(subject, { number: this.#entries++, entry })
  }

  #nowMs(): number {
    return this.#clock.date().getTime()
  }
}

const runsOf = ({ name }: Pick<Recorded, 'name'>, key: Key) => `run ${name} ${formatKey(key)}`

const subjectOf = (side: string, resource: Resource, key: Key) =>
  `${side} ${apiVersionOf(resource)} ${resource.plural} ${formatKey(key)}`
