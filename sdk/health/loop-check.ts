import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Check } from './health.js'

const nsPerMs = 1e6

/**
 * A check that fails once after the event loop was held up for `limitMs` milliseconds, default 10,000. A
 * blocked loop also blocks leadership, watches and probes. It measures from its creation, and again from each
 * check.
 */
export function loopCheck(limitMs = 10_000): Check {
  const delay = monitorEventLoopDelay()
  delay.enable()
  const wrong = () => {
    const lagMs = Math.round(delay.max / nsPerMs)
    delay.reset()
    return lagMs > limitMs ? `the event loop was held up for ${lagMs} ms` : undefined
  }
  return { name: 'event-loop', wrong }
}
