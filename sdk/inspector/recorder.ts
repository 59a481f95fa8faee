import type { Written } from '../client/client.js'
import type { Cluster } from '../cluster/cluster.js'
import type { RegisterContext, Side } from '../context/register-context.js'
import type { RunEnd } from '../controller/run-end.js'
import { formatKey, type Key, keyOf } from '../kube/key.js'
import { apiVersionOf, type Resource } from '../kube/resource.js'
import { hostScopes } from '../ownership/host-objects.js'
import type { Change, StoreScope } from '../store/store.js'
import type { Reconciler } from '../syncer/reconciler.js'
import { Syncer } from '../syncer/syncer.js'
import type { Clock } from '../time/clock.js'
import type { RunEntry, TimelineEntry } from './explanation-view.js'
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

/** The record of one syncer. */
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

  /** Follows what changes in the stores of a syncer until the signal aborts; answers what hears of its runs. */
  attend(syncer: Reconciler, ctx: RegisterContext, signal: AbortSignal): (end: RunEnd) => void {
    const { resource } = syncer
    this.#follow(ctx.virtual, { resource, scope: {}, signal })
    for (const scope of syncer instanceof Syncer ? hostScopes(syncer) : [])
      this.#follow(ctx.host, { resource, scope, signal })
    const record = this.of(syncer.name)
    return (end) => this.#ended(syncer, record, end)
  }

  /** A write of the plugin's that the API server accepted. */
  written(side: Side, written: Written): void {
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

  /** The timeline of a key: its runs, and the changes of its objects; oldest first. */
  timeline(syncer: Reconciler, key: Key, hostKey: Key | undefined): TimelineEntry[] {
    const subjects = [runsOf(syncer, key), subjectOf('virtual', syncer.resource, key)]
    if (hostKey) subjects.push(subjectOf('host', syncer.resource, hostKey))
    const entries = subjects.flatMap((subject) => this.#history.of(subject))
    return entries.sort((a, b) => a.number - b.number).map(({ entry }) => entry)
  }

  /** The last run of a key, as far as it is remembered. */
  lastRun(syncer: Reconciler, key: Key): RunEntry | undefined {
    const last = this.#history.of(runsOf(syncer, key)).at(-1)?.entry
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

  #ended(syncer: Reconciler, { windows, errors }: SyncerRecord, { key, error, ...end }: RunEnd): void {
    const atMs = this.#nowMs()
    const shown = error === undefined ? undefined : shownError(syncer.resource, error)
    const entry: RunEntry = { what: 'run', atMs, ...end, ...(shown && { error: errorWithFrame(shown) }) }
    this.#note(runsOf(syncer, key), entry)
    windows.add(shown !== undefined, end.lagMs)
    if (shown) errors.add(shown, { key, atMs })
    if (this.#recent.push({ syncer: syncer.name, ...key, result: end.result }) > maxRecent)
      this.#recent.shift()
    this.#runs++
  }

  #follow(
    cluster: Cluster<Side>,
    { resource, scope, signal }: { resource: Resource; scope: StoreScope; signal: AbortSignal },
  ): void {
    const following = cluster
      .changes$(resource, scope)
      .subscribe((touched) => this.#changed(cluster.name, resource, touched))
    signal.addEventListener('abort', () => following.unsubscribe(), { once: true })
  }

  #changed(side: Side, resource: Resource, { key, object, previous, gone }: Change): void {
    this.#note(subjectOf(side, resource, key), {
      what: 'change',
      atMs: this.#nowMs(),
      side,
      verb: gone ? 'gone' : previous ? 'changed' : 'appeared',
      resourceVersion: object.metadata.resourceVersion ?? '',
    })
  }

  #note(subject: string, entry: TimelineEntry): void {
    this.#history.add(subject, { number: this.#entries++, entry })
  }

  #nowMs(): number {
    return this.#clock.date().getTime()
  }
}

const runsOf = ({ name }: Reconciler, key: Key) => `run ${name} ${formatKey(key)}`

const subjectOf = (side: Side, resource: Resource, key: Key) =>
  `${side} ${apiVersionOf(resource)} ${resource.plural} ${formatKey(key)}`
