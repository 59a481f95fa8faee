import t from 'tap'
import { systemClock } from './clock.js'

void t.test('a delay longer than a timer can hold is waited for to its end', async (t) => {
  const { setTimeout, clearTimeout } = globalThis
  const delays: number[] = []
  const cleared: number[] = []
  let fire = () => {}
  t.teardown(() => Object.assign(globalThis, { setTimeout, clearTimeout }))
  Object.assign(globalThis, {
    setTimeout: (callback: () => void, delayMs: number) => {
      fire = callback
      return delays.push(delayMs)
    },
    clearTimeout: (timer: number) => cleared.push(timer),
  })
  let calls = 0
  const cancel = systemClock.schedule(2 ** 32, () => calls++)
  fire()
  fire()
  t.strictSame([delays, calls], [[2 ** 31 - 1, 2 ** 31 - 1, 2], 0])
  fire()
  t.equal(calls, 1)
  cancel()
  t.strictSame(cleared, [3])
  systemClock.schedule(Number.POSITIVE_INFINITY, () => calls++)
  fire()
  t.strictSame([delays.at(-1), calls], [2 ** 31 - 1, 1], 'for ever is for ever')
})
