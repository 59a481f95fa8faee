// Tests the clock of the machine with delays that are too long for one timer.
import t, { type Test } from 'tap'
import { machineClock } from './clock.js'

const maxTimerMs = 2 ** 31 - 1

/** Replaces the timers of Node by one that the test ends itself. */
function withTimers(t: Test) {
  const started: { delayMs: number; callback: () => void }[] = []
  const stopped: unknown[] = []
  const setTimeout = (callback: () => void, delayMs: number) => {
    started.push({ delayMs, callback })
    return started.length
  }
  t.intercept(globalThis, 'setTimeout', { value: setTimeout })
  t.intercept(globalThis, 'clearTimeout', { value: (timer: unknown) => stopped.push(timer) })
  /** Ends the timer that was started last, and returns its delay. */
  const end = () => {
    const last = started.at(-1)
    last?.callback()
    return last?.delayMs
  }
  return { end, stopped }
}

void t.test('a long delay consists of several timers', async (t) => {
  const { end, stopped } = withTimers(t)
  let calls = 0
  const cancel = machineClock.schedule(2 * maxTimerMs + 5, () => calls++)
  t.equal(end(), maxTimerMs)
  t.equal(end(), maxTimerMs)
  t.equal(calls, 0)
  t.equal(end(), 5)
  t.equal(calls, 1)
  cancel()
  t.strictSame(stopped, [3], 'the present timer is stopped')
})

void t.test('a delay without end never ends', async (t) => {
  const { end } = withTimers(t)
  machineClock.schedule(Number.POSITIVE_INFINITY, () => t.fail('it ended'))
  for (let round = 0; round < 3; round++) t.equal(end(), maxTimerMs)
})
