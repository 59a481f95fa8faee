import type { AcceptedWrite } from '../client/client.js'
import type { Cluster } from '../cluster/cluster.js'
import type { RunEnd } from '../controller/run-end.js'
import { formatKey, type Key, keyOf } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { apiVersionOf, type Resource } from '../kube/resource.js'
import type { Unit } from '../manager/unit.js'
import type { Change, StoreScope } from '../store/store.js'
import type { Clock } from '../time/clock.js'
import type { FieldChange, RecordedSubject, RunEntry, TimelineEntry } from './explanation-view.js'
import { type InspectedController, isInspectedController } from './inspected-controller.js'
import { errorWithFrame, shownError } from './latest-errors.js'
import { type HistoryRecord, type SyncerRecord, WorkHistory } from './work-history.js'
import { writtenChanges } from './written-changes.js'

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

/**
 * Remembers what happened lately, in bounded memory: a few map operations per run, change and write. Exists only while
 * the inspector is on.
 */
export class Recorder {
  /** The records of this process. */
  readonly history: WorkHistory
  readonly #clock: Clock
  readonly #onRecord: (record: HistoryRecord) => void

  /** `onRecord` receives every record, for a process that keeps them. */
  constructor(clock: Clock, onRecord: (record: HistoryRecord) => void = () => {}) {
    this.#clock = clock
    this.history = new WorkHistory(clock)
    this.#onRecord = onRecord
  }

  /** Follows the changes of objects until the signal aborts. Returns the function to call at the end of each run. */
  attend(
    { follows, ...worker }: RecordedWorker,
    signal: AbortSignal,
  ): (end: RunEnd, waiting: number) => void {
    for (const objects of follows) this.#follow(objects, signal)
    return (end, waiting) => this.#ended(worker, end, waiting)
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

  /** A write of the program that the API server accepted; `before` is the object in the cache, if it is known. */
  written(side: string, written: AcceptedWrite, before?: KubeObject): void {
    const key = written.deleted ? written.key : keyOf(written.object)
    const changes = changesOf(written, before)
    this.#note(subjectOf(side, written.resource, key), {
      what: 'write',
      atMs: this.#nowMs(),
      side,
      verb: written.deleted ? 'deleted' : 'written',
      resourceVersion: written.deleted ? '' : (written.object.metadata.resourceVersion ?? ''),
      ...(changes && { changes }),
    })
  }

  of(syncer: string): SyncerRecord {
    return this.history.of(syncer)
  }

  /** The names of objects in the history. */
  subjects(objects: readonly RecordedObject[]): RecordedSubject[] {
    return objects.map(({ cluster, resource, key, label }) => ({
      subject: subjectOf(cluster, resource, key),
      ...(label !== undefined && { object: label }),
    }))
  }

  /** See {@link WorkHistory.timeline}. */
  timeline(
    { name }: Pick<Recorded, 'name'>,
    key: Key,
    recorded: readonly RecordedSubject[],
  ): TimelineEntry[] {
    return this.history.timeline(name, key, recorded)
  }

  /** The last run of a key, if it is remembered. */
  lastRun({ name }: Pick<Recorded, 'name'>, key: Key): RunEntry | undefined {
    return this.history.lastRun(name, key)
  }

  #ended({ name: worker, resource }: Recorded, { key, error, ...end }: RunEnd, waiting: number): void {
    const shown = error === undefined ? undefined : shownError(resource, error)
    const entry: RunEntry = {
      what: 'run',
      atMs: this.#nowMs(),
      ...end,
      ...(shown && { error: errorWithFrame(shown) }),
    }
    this.#add({ what: 'run', worker, key, entry, waiting, ...(shown && { error: shown }) })
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
    const last = this.history.latest(subject)
    if (last?.what === 'change' && last.verb === verb && last.resourceVersion === resourceVersion) return
    this.#note(subject, { what: 'change', atMs: this.#nowMs(), side, verb, resourceVersion })
  }

  #note(subject: string, entry: TimelineEntry): void {
    this.#add({ what: 'subject', subject, entry })
  }

  #add(record: HistoryRecord): void {
    this.history.add(record)
    this.#onRecord(record)
  }

  #nowMs(): number {
    return this.#clock.date().getTime()
  }
}

const subjectOf = (side: string, resource: Resource, key: Key) =>
  `${side} ${apiVersionOf(resource)} ${resource.plural} ${formatKey(key)}`

/** The changed fields; undefined for an object that cannot be compared, such as one that is nested too deep. */
function changesOf(written: AcceptedWrite, before: KubeObject | undefined): FieldChange[] | undefined {
  try {
    return writtenChanges(written, before)
  } catch {
    // The API server accepted the write: it must not fail because of its record.
    return undefined
  }
}
