import { setMaxListeners } from 'node:events'
import { formatKey, type Key } from '../kube/key.js'
import { type Logger, silentLogger } from '../observe/logger.js'
import { type Clock, systemClock } from '../time/clock.js'
import { TimeSlice } from '../time/time-slice.js'
import type { WorkQueue } from './work-queue.js'

/** Options of {@link runWorkers}. */
export interface RunWorkersOptions {
  queue: WorkQueue
  /** Serves one key. An error is logged, and the key is retried. */
  work: (key: Key, signal: AbortSignal) => Promise<unknown>
  /** Stops the workers; it is passed to `work`. */
  signal: AbortSignal
  /** The number of keys that are served at a time; default 10. */
  workers?: number
  /** The time in milliseconds after which a worker leaves a run and takes the next key; default never. */
  stuckAfterMs?: number
  /** Measures the time slices after which workers yield to the event loop; default the machine's clock. */
  clock?: Clock
  /** Default silent. */
  logger?: Logger
}

/** Serves the keys of a queue until the queue is closed or the signal aborts, and the last run has ended. */
export async function runWorkers(options: RunWorkersOptions): Promise<void> {
  const { workers = 10, clock = systemClock, signal } = options
  // Each worker listens to the signal; Node would report eleven listeners as a leak.
  setMaxListeners(0, signal)
  const slice = new TimeSlice(clock)
  await Promise.all(Array.from({ length: workers }, () => runWorker(options, slice)))
}

/** One worker: serves one key after the other. Resolves when the queue is closed and its last run has ended. */
async function runWorker(options: RunWorkersOptions, slice: TimeSlice): Promise<void> {
  const { queue, signal } = options
  const leftRuns = new Set<Promise<void>>()
  for (let key = await queue.next(signal); key !== undefined; key = await queue.next(signal)) {
    const served = serve(key, options)
    if (await isStuck(key, served, options)) keepLeftRun(served, leftRuns)
    // Runs without work never wait for a socket, and a thousand of them would delay timers.
    if (slice.isOver) await slice.pause()
  }
  await Promise.all(leftRuns)
}

/** Resolves when a key's run has ended, or with `true` when the worker leaves it. */
function isStuck(key: Key, served: Promise<void>, options: RunWorkersOptions): Promise<boolean> {
  const { queue, stuckAfterMs, clock = systemClock } = options
  if (stuckAfterMs === undefined) return served.then(() => false)
  return new Promise((resolve) => {
    const cancel = clock.schedule(stuckAfterMs, () => {
      // Not in the caller, which continues later: by then the run may have ended, and another worker may have the key.
      queue.leave(key)
      resolve(true)
    })
    void served.then(() => {
      cancel()
      resolve(false)
    })
  })
}

/** Leaves a run that is stuck; its key stays in progress until the run ends. */
function keepLeftRun(served: Promise<void>, leftRuns: Set<Promise<void>>): void {
  leftRuns.add(served)
  void served.then(() => leftRuns.delete(served))
}

/** Serves one key. Never rejects: a key whose `work` fails is retried. */
async function serve(
  key: Key,
  { queue, work, signal, logger = silentLogger }: RunWorkersOptions,
): Promise<void> {
  try {
    await work(key, signal)
  } catch (error) {
    const retryInMs = Math.round(queue.retry(key))
    logger.error({ key: formatKey(key), error, retryInMs }, 'serving a key failed')
  } finally {
    queue.done(key)
  }
}
