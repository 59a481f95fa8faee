import { setMaxListeners } from 'node:events'
import { formatKey, type Key } from '../kube/key.js'
import { type Logger, silentLogger } from '../observe/logger.js'
import { type Clock, systemClock } from '../time/clock.js'
import { TimeSlice } from '../time/time-slice.js'
import type { WorkQueue } from './work-queue.js'

/** Options of {@link runWorkers}. */
export interface RunWorkersOptions {
  queue: WorkQueue
  /** Serves one key. What it throws is logged, and the key is retried. */
  work: (key: Key, signal: AbortSignal) => Promise<void>
  /** Ends the taking of keys, and is handed to `work`. */
  signal: AbortSignal
  /** How many keys are served at a time; default 10. */
  workers?: number
  /** After how many milliseconds a worker leaves a run to itself and takes the next key; default never. */
  stuckAfterMs?: number
  /** Measures the slices after which workers let the rest of the process have its turn; default the machine's clock. */
  clock?: Clock
  /** Default silent. */
  logger?: Logger
}

/** Serves the keys of a queue until it is closed or the signal aborts, and the last run has ended. */
export async function runWorkers(options: RunWorkersOptions): Promise<void> {
  const { workers = 10, clock = systemClock, signal } = options
  // Each worker waits under it; Node would take eleven for a leak.
  setMaxListeners(0, signal)
  const slice = new TimeSlice(clock)
  await Promise.all(Array.from({ length: workers }, () => runWorker(options, slice)))
}

async function runWorker(options: RunWorkersOptions, slice: TimeSlice): Promise<void> {
  const { queue, signal } = options
  const left = new Set<Promise<void>>()
  for (let key = await queue.next(signal); key !== undefined; key = await queue.next(signal)) {
    const served = serve(key, options)
    if (await isStuck(key, served, options)) leave(served, left)
    // Runs that find nothing to do never wait for a socket, and a thousand of them would hold up timers.
    if (slice.isOver) await slice.pause()
  }
  await Promise.all(left)
}

/** Resolves when a key's run has ended, or with `true` when it was time to leave it. */
function isStuck(key: Key, served: Promise<void>, options: RunWorkersOptions): Promise<boolean> {
  const { queue, stuckAfterMs, clock = systemClock } = options
  if (stuckAfterMs === undefined) return served.then(() => false)
  return new Promise((resolve) => {
    const cancel = clock.schedule(stuckAfterMs, () => {
      // Here and not by whoever awaits this: a moment later the run may have ended, and its key be with another worker.
      queue.leave(key)
      resolve(true)
    })
    void served.then(() => {
      cancel()
      resolve(false)
    })
  })
}

/** Its key stays taken until the run ends. */
function leave(served: Promise<void>, left: Set<Promise<void>>): void {
  left.add(served)
  void served.then(() => left.delete(served))
}

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
