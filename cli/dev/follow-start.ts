import type { Overview } from '../../sdk/engine/inspector/model.js'
import type { ProgressView } from '../../sdk/engine/manager/progress-view.js'
import { type Clock, sleep } from '../../sdk/engine/time/clock.js'

/** Options of {@link followStart}. */
export interface FollowStartOptions {
  /** Reads the plugin's overview; rejects while the plugin does not answer. */
  read: () => Promise<Pick<Overview, 'plugin' | 'progress'>>
  /** Called with the progress of a long start, and with undefined at its end. */
  onProgress: (progress: ProgressView | undefined) => void
  /** Interval between two reports, in milliseconds. */
  everyMs: number
  clock: Clock
  signal: AbortSignal
}

/** The time before the first report, in milliseconds: shorter starts are not reported. */
const firstReportMs = 3000
/** The longest interval between two reads, in milliseconds. */
const maxPauseMs = 1000

/**
 * Reports the progress of a plugin at its start, by reading its inspector, until it has processed all objects once.
 * Resolves then, or when the signal aborts.
 */
export async function followStart(options: FollowStartOptions): Promise<void> {
  const { read, onProgress, everyMs, clock, signal } = options
  const pauseMs = Math.min(everyMs, maxPauseMs)
  let reportedAtMs = clock.now() + firstReportMs - everyMs
  while (!signal.aborted) {
    // The plugin answers only while it runs.
    const overview = await read().catch(() => undefined)
    if (overview?.plugin.isRunning && !overview.progress) break
    if (overview?.progress && clock.now() - reportedAtMs >= everyMs && !signal.aborted) {
      reportedAtMs = clock.now()
      onProgress(overview.progress)
    }
    await sleep(clock, pauseMs, signal).catch(() => {})
  }
  onProgress(undefined)
}
