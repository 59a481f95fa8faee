import { type Clock, sleep } from '../../engine/time/clock.js'
import { checkedTime } from './checked-time.js'
import type { UntilOptions } from './manager.js'

/**
 * Checks a condition until it holds. Rejects after the timeout, with the reason of the signal, or with the error of the
 * condition.
 */
export async function until(
  condition: () => unknown,
  { everyMs, timeoutMs }: UntilOptions,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  const pauseMs = Math.max(checkedTime(everyMs, 'until: everyMs'), 1)
  const endMs = clock.now() + checkedTime(timeoutMs, 'until: timeoutMs')
  for (;;) {
    signal.throwIfAborted()
    if (await condition()) return
    const leftMs = endMs - clock.now()
    if (leftMs <= 0) throw new Error(`the condition of until is not true after ${timeoutMs / 1000} s`)
    await sleep(clock, Math.min(pauseMs, leftMs), signal)
  }
}
