import type { Logger } from '../engine/observe/logger.js'

/** Time between the end of a plugin and that of its process if a hook still runs, in milliseconds. */
const exitMs = 1000

/** Ends the process if hooks have not returned: they could keep the process alive, for example by timers. */
export function endProcessOf(unfinished: readonly string[], logger: Logger): void {
  if (unfinished.length === 0) return
  logger.warn(
    { methods: unfinished },
    'hooks did not return after their signal was aborted; the process ends',
  )
  // Code after start() may still run.
  setTimeout(() => process.exit(), exitMs)
}
