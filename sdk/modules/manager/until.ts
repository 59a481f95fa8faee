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
    const answer = await condition()
    if (answer) return
    const leftMs = endMs - clock.now()
    if (leftMs <= 0) throw lateError(answer, timeoutMs)
    await sleep(clock, Math.min(pauseMs, leftMs), signal)
  }
}

/** The error about a condition that did not hold in time. One that always returns undefined may lack a `return`. */
function lateError(answer: unknown, timeoutMs: number): Error {
  const cure =
    answer === undefined
      ? 'return true from it as soon as what it waits for is there'
      : 'correct what it waits for, or raise timeoutMs if it only needs more time'
  const given = answer === '' ? 'an empty text' : String(answer)
  return new Error(`ctx.until: the condition still returned ${given} after ${timeoutMs / 1000} s; ${cure}`)
}
