/**
 * Runs one syncer: changes of both clusters ring keys, the queue holds each key once, workers serve them one
 * run per key at a time, and what fails comes back later. Start reading here, then go to `reconcile.ts`.
 *
 * It promises that no key is served before both stores hold their first lists, that a failing key does not
 * keep its neighbours waiting, and that nothing a syncer throws ends the stream.
 */
import type { RegisterContext } from '../context/register-context.js'
import type { SyncContext } from '../context/sync-context.js'
import type { Key } from '../kube/key.js'
import { formatKey } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import type { EventRecorder } from '../observe/event-recorder.js'
import { runWorkers } from '../queue/run-workers.js'
import { WorkQueue } from '../queue/work-queue.js'
import type { Outcome } from '../syncer/outcome.js'
import type { Syncer } from '../syncer/syncer.js'
import { Aftermath } from './aftermath.js'
import { reconcile } from './reconcile.js'
import { Refusals } from './refusals.js'
import { knownKeys, rungKeys$ } from './rung-keys.js'

/** Options of {@link runSyncer}. */
export interface RunSyncerOptions {
  ctx: RegisterContext
  /** Writes Events about virtual objects. */
  events: EventRecorder
  /** Ends the intake: no further key is taken. */
  stop: AbortSignal
  /** Aborts the runs under way. */
  abort: AbortSignal
  /** How many keys are served at a time; default 10, as vcluster's own syncers. */
  workers?: number
}

/** A syncer at work. */
export interface RunningSyncer {
  readonly name: string
  /** Whether nothing is queued, under way, or due within a second. */
  isIdle(): boolean
  /** How long the oldest run has been under way, in milliseconds; 0 when there is none. */
  oldestRunMs(): number
  /** Rings every key that the stores know of, because something beside the objects has changed. */
  ringAll(): void
  /** Resolves when the intake is closed and the last run has ended. */
  readonly ended: Promise<void>
}

/** A delay that ends sooner than this, in milliseconds, is work under way rather than waiting. */
const soonMs = 1000

/** Starts serving the keys of `syncer`. Both stores must hold their first lists. */
export function runSyncer<T extends KubeObject>(syncer: Syncer<T>, options: RunSyncerOptions): RunningSyncer {
  const { ctx, stop, workers = 10 } = options
  const queue = new WorkQueue({ name: syncer.name, clock: ctx.clock, metrics: ctx.metrics })
  const refusals = new Refusals()
  const aftermath = new Aftermath({ syncer, queue, refusals, ...options })
  const rung = rungKeys$(syncer, { ctx, refusals }).subscribe((key) => queue.add(key))
  const ringAll = () => {
    for (const key of knownKeys(syncer, ctx)) queue.add(key, 'background')
  }
  ringAll()
  stop.addEventListener(
    'abort',
    () => {
      rung.unsubscribe()
      queue.close()
    },
    { once: true },
  )
  const ended = runWorkers({
    queue,
    workers,
    work: (key, signal) => aftermath.of(key, () => runOnce(syncer, { ...options, key, signal })),
    signal: options.abort,
    clock: ctx.clock,
    logger: ctx.logger,
  })
  return {
    name: syncer.name,
    isIdle: () => queue.running === 0 && queue.size === 0 && queue.dueInMs > soonMs,
    oldestRunMs: () => queue.oldestRunMs,
    ringAll,
    ended,
  }
}

/** What one run is made of, beside the syncer. */
interface RunOnceOptions extends RunSyncerOptions {
  key: Key
  signal: AbortSignal
}

async function runOnce<T extends KubeObject>(
  syncer: Syncer<T>,
  { ctx, events, key, signal }: RunOnceOptions,
): Promise<Outcome | undefined> {
  const logger = ctx.logger.child({ syncer: syncer.name, key: formatKey(key) })
  const syncCtx = { ...ctx, logger, events, key, signal }
  try {
    const skip = await syncer.reconcileStart?.(syncCtx)
    return skip ? undefined : await reconcile(syncer, syncCtx)
  } finally {
    await endRun(syncer, syncCtx)
  }
}

/** Throwing from a `finally` would hide how the run itself ended. */
async function endRun<T extends KubeObject>(syncer: Syncer<T>, ctx: SyncContext): Promise<void> {
  try {
    await syncer.reconcileEnd?.(ctx)
  } catch (error) {
    ctx.logger.error({ error }, 'reconcileEnd failed')
  }
}
