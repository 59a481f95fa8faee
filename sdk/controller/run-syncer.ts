/**
 * Runs one syncer: changes of both clusters ring keys, the queue holds each key once, workers serve them one
 * run per key at a time, and what fails comes back later. Start reading here, then go to `reconcile.ts`.
 *
 * It promises that no key is served before both stores hold their first lists, that a failing key does not
 * keep its neighbours waiting, and that nothing a syncer throws ends the stream.
 */
import type { Subscription } from 'rxjs'
import type { RegisterContext } from '../context/register-context.js'
import type { SyncContext } from '../context/sync-context.js'
import type { Key } from '../kube/key.js'
import { formatKey } from '../kube/key.js'
import type { EventRecorder } from '../observe/event-recorder.js'
import { lazyLogger } from '../observe/lazy-logger.js'
import { allKeys, type KeyAssignment } from '../queue/key-assignment.js'
import { runWorkers } from '../queue/run-workers.js'
import { type KeyStanding, WorkQueue } from '../queue/work-queue.js'
import type { Outcome } from '../syncer/outcome.js'
import { type Course, courseOf } from '../syncer/reconcile/course.js'
import { ExtraWatches } from '../syncer/reconcile/extra-watches.js'
import { NeededKinds } from '../syncer/reconcile/needed-kinds.js'
import { Refusals } from '../syncer/reconcile/refusals.js'
import type { Reconciler } from '../syncer/reconciler.js'
import { Aftermath } from './aftermath.js'
import { Pause } from './pause.js'
import { Quarantine } from './quarantine.js'
import { Ringer } from './ringer.js'
import type { RunEnd } from './run-end.js'
import { withinLimit } from './run-limit.js'
import { followWorkers } from './run-metrics.js'
import type { StrayRejections } from './stray-rejections.js'
import { SyncLag } from './sync-lag.js'

/** Options of {@link runSyncer}. */
export interface RunSyncerOptions {
  ctx: RegisterContext
  /** Writes Events about virtual objects. */
  events: EventRecorder
  /** Ends the intake: no further key is taken. */
  stop: AbortSignal
  /** Aborts the runs under way. */
  abort: AbortSignal
  /** Where promises end that runs leave behind; default nowhere: they end the process. */
  strays?: StrayRejections
  /** Which keys are ours to serve; default all. */
  share?: KeyAssignment
  /** How many keys are served at a time; default 32, for as many connections as calls have. */
  workers?: number
  /** Told how each run went; see {@link AftermathOptions.onRunEnd}. */
  onRunEnd?: (end: RunEnd) => void
}

/** How much a syncer has to do. */
export interface SyncerLoad {
  /** Keys that wait for a worker. */
  readonly waiting: number
  /** Those of them that no change has rung: they are looked at because the plugin began, or because something else did. */
  readonly background: number
  /** Keys that are served. */
  readonly running: number
  /** Keys that wait for a delay to end. */
  readonly delayed: number
  /** How many keys may be served at a time. */
  readonly workers: number
  /** Whether keys that no change has rung are still being rung. */
  readonly isRinging: boolean
}

/** How a key of a syncer stands. */
export interface SyncerKeyStanding extends KeyStanding {
  readonly isQuarantined: boolean
  /** The host object that is not the key's copy and has its name, by `formatKey`. */
  readonly refusedBy: string | undefined
}

/** A syncer at work. */
export interface RunningSyncer {
  readonly name: string
  readonly reconciler: Reconciler
  /** See {@link Reconciler.runLimitMs}. */
  readonly runLimitMs: number
  /** Whether nothing is queued, under way, or due within a second. */
  isIdle(): boolean
  /** How long the oldest run has been under way, in milliseconds; 0 when there is none. */
  oldestRunMs(): number
  load(): SyncerLoad
  standingOf(key: Key): SyncerKeyStanding
  /** Every key that the stores know of, some more than once. */
  knownKeys(): Iterable<Key>
  /** Rings every key that the stores know of, because something beside the objects has changed. */
  ringAll(): void
  /** Resolves when the intake is closed and the last run has ended. */
  readonly ended: Promise<void>
}

/** As many as calls have connections: a run mostly waits for one write, and writes are what a cold start is made of. */
const defaultWorkers = 32

/** How long after its limit a run may take to end, in milliseconds, before its worker goes on without it. */
const stuckGraceMs = 1000

/** A delay that ends sooner than this, in milliseconds, is work under way rather than waiting. */
const soonMs = 1000

/** Starts serving the keys of `syncer`, as soon as the stores of its kinds hold their first lists. */
export function runSyncer(syncer: Reconciler, options: RunSyncerOptions): RunningSyncer {
  const { ctx, stop, share = allKeys, workers = defaultWorkers } = options
  const observed = { name: syncer.name, clock: ctx.clock, metrics: ctx.metrics }
  const queue = new WorkQueue({ ...observed, workers })
  const refusals = new Refusals()
  const course = courseOf(syncer, ctx)
  const ringer = new Ringer({ course, queue, clock: ctx.clock, stop })
  const ringAll = (among = share.holds) => ringer.ringAll(among)
  const lag = new SyncLag(observed)
  const quarantine = new Quarantine(observed)
  const ring = (key: Key) => {
    if (!share.holds(key)) return
    lag.changed(key)
    queue.add(key)
  }
  const rung = course.rungKeys$(refusals).subscribe(ring)
  const extra = new ExtraWatches(ctx, syncer.name)
  syncer.modifyController?.(extra, ctx)
  rung.add(extra.keys$.subscribe(ring))
  rung.add(share.gained$.subscribe(ringAll))
  ringAll()
  closeOn(stop, { rung, queue })
  const kinds = new NeededKinds(syncer, ctx, extra)
  const serving = { course, queue, refusals, quarantine, lag, pause: new Pause(kinds, stop, ringAll) }
  const ended = kinds.synced
    ? serve(syncer, serving, options)
    : kinds.whenSynced(stop).then(
        () => serve(syncer, serving, options),
        () => undefined,
      )
  const hasRest = () => kinds.synced && queue.size === 0 && queue.dueInMs > soonMs && !ringer.isRinging
  return {
    name: syncer.name,
    reconciler: syncer,
    runLimitMs: syncer.runLimitMs,
    isIdle: () => queue.running === 0 && (!kinds.served || hasRest()),
    oldestRunMs: () => queue.oldestRunMs,
    load: () => ({
      waiting: queue.size,
      background: queue.background,
      running: queue.running,
      delayed: queue.delayed,
      workers,
      isRinging: ringer.isRinging,
    }),
    standingOf: (key) => ({
      ...queue.standingOf(key),
      isQuarantined: quarantine.holds(key),
      refusedBy: refusals.hostOf(key),
    }),
    knownKeys: () => course.knownKeys(),
    ringAll,
    ended,
  }
}

interface Intake {
  rung: Subscription
  queue: WorkQueue
}

function closeOn(stop: AbortSignal, { rung, queue }: Intake): void {
  const close = () => {
    rung.unsubscribe()
    queue.close()
  }
  stop.addEventListener('abort', close, { once: true })
}

interface Serving {
  course: Course
  queue: WorkQueue
  refusals: Refusals
  quarantine: Quarantine
  lag: SyncLag
  pause: Pause
}

function serve(
  syncer: Reconciler,
  { course, pause, ...serving }: Serving,
  options: RunSyncerOptions,
): Promise<void> {
  const { ctx, abort, strays, share = allKeys, workers = defaultWorkers } = options
  const named = { name: syncer.name, metrics: ctx.metrics }
  followWorkers(named, { most: workers, active: () => serving.queue.running })
  const aftermath = new Aftermath({ syncer, ...serving, ...options })
  const run = (key: Key, signal: AbortSignal) => {
    const limits = { limitMs: syncer.runLimitMs, clock: ctx.clock, signal }
    return withinLimit(limits, (limited) =>
      runOnce(syncer, { ...options, course, pause, key, signal: limited }),
    )
  }
  const contained = (key: Key, signal: AbortSignal) =>
    strays
      ? strays.of(
          (error) => aftermath.strayed(key, error),
          () => run(key, signal),
        )
      : run(key, signal)
  // A key may have been given away since it was rung.
  const ifOurs = async (key: Key, work: () => Promise<void>) =>
    share.holds(key) ? share.run(key, work) : serving.queue.forget(key)
  return runWorkers({
    queue: serving.queue,
    workers,
    work: (key, signal) => ifOurs(key, () => aftermath.of(key, () => contained(key, signal))),
    stuckAfterMs: syncer.runLimitMs + stuckGraceMs,
    signal: abort,
    clock: ctx.clock,
    logger: ctx.logger,
  })
}

/** What one run is made of, beside the syncer. */
interface RunOnceOptions extends RunSyncerOptions {
  course: Course
  pause: Pause
  key: Key
  signal: AbortSignal
}

async function runOnce(
  syncer: Reconciler,
  { ctx, events, course, pause, key, signal }: RunOnceOptions,
): Promise<Outcome | undefined> {
  if (pause.isOn()) return undefined
  const logger = lazyLogger(() => ctx.logger.child({ syncer: syncer.name, key: formatKey(key) }))
  const syncCtx = { ...ctx, logger, events, key, signal }
  try {
    const skip = await syncer.reconcileStart?.(syncCtx)
    return skip ? undefined : await course.run(syncCtx)
  } finally {
    await endRun(syncer, syncCtx)
  }
}

/** Throwing from a `finally` would hide how the run itself ended. */
async function endRun(syncer: Reconciler, ctx: SyncContext): Promise<void> {
  try {
    await syncer.reconcileEnd?.(ctx)
  } catch (error) {
    ctx.logger.error({ error }, 'reconcileEnd failed')
  }
}
