import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { HealthCheck } from './health.js'

const nsPerMs = 1e6

/**
 * The interval at which the event loop is sampled, in milliseconds. A reported delay may be too long by this much.
 * Node's default, 10 ms, costs half a percent of a core.
 */
export const loopSampleMs = 50

/**
 * A check that fails once after the event loop was blocked for `limitMs` milliseconds, default 10,000. A blocked loop
 * also blocks leadership, watches and probes. The first check covers the time since the creation, and each later check
 * the time since the previous one.
 */
export function loopCheck(limitMs = 10_000): HealthCheck {
  const delay = monitorEventLoopDelay({ resolution: loopSampleMs })
  delay.enable()
  const wrong = () => {
    const lagMs = Math.round(delay.max / nsPerMs)
    delay.reset()
    return lagMs > limitMs ? `the event loop was held up for ${lagMs} ms` : undefined
  }
  return { name: 'event-loop', wrong }
}
