import type { Overview } from '../../sdk/inspector/model.js'
import type { ProgressView } from '../../sdk/manager/progress-view.js'
import { type Clock, sleep } from '../../sdk/time/clock.js'

/** Options of {@link followStart}. */
export interface FollowStartOptions {
  /** Asks the plugin; rejects while it does not answer. */
  read: () => Promise<Pick<Overview, 'plugin' | 'progress'>>
  /** Hears how far it is while that takes long, and undefined when it has ended. */
  onProgress: (progress: ProgressView | undefined) => void
  /** Between two of these, in milliseconds. */
  everyMs: number
  clock: Clock
  signal: AbortSignal
}

/** What takes less time than this, in milliseconds, is not worth a word. */
const shortMs = 3000
/** How often the plugin is asked, at the least, in milliseconds. */
const askMs = 1000

/** Follows a plugin from its start until it has looked at everything for the first time. Resolves then, or with the signal. */
export async function followStart(options: FollowStartOptions): Promise<void> {
  const { read, onProgress, everyMs, clock, signal } = options
  const pauseMs = Math.min(everyMs, askMs)
  let toldAtMs = clock.now() + shortMs - everyMs
  while (!signal.aborted) {
    // It does not answer before it is up, and not after its end.
    const overview = await read().catch(() => undefined)
    if (overview?.plugin.isRunning && !overview.progress) break
    if (overview?.progress && clock.now() - toldAtMs >= everyMs && !signal.aborted) {
      toldAtMs = clock.now()
      onProgress(overview.progress)
    }
    await sleep(clock, pauseMs, signal).catch(() => {})
  }
  onProgress(undefined)
}
