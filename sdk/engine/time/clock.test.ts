import t from 'tap'
import { lazyLogger } from '../observe/lazy-logger.js'
import { type LogFields, silentLogger } from '../observe/logger.js'
import { Cancellation } from './cancellation.js'
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
  t.strictSame([delays.at(-1), calls], [2 ** 31 - 1, 1], 'forever is forever')
})

void t.test('a cancellation calls the remaining listeners once', async (t) => {
  const cancellation = new Cancellation()
  const told: string[] = []
  const left = () => told.push('left')
  cancellation.throwIfAborted()
  cancellation.addEventListener('abort', left)
  cancellation.addEventListener('abort', () =>
    told.push(`stayed: ${cancellation.aborted} ${cancellation.reason}`),
  )
  cancellation.removeEventListener('abort', left)
  cancellation.abort('over')
  cancellation.abort('again')
  t.same(told, ['stayed: true over'])
  t.throws(() => cancellation.throwIfAborted(), 'over')
})

void t.test('a lazy logger is made with its first line, and once', async (t) => {
  const made: LogFields[] = []
  const lines: string[] = []
  const line = (_fields: LogFields, message: string) => lines.push(message)
  const child = (fields: LogFields) => {
    made.push(fields)
    return { ...silentLogger, debug: line, info: line, warn: line, error: line, child }
  }
  const logger = lazyLogger(() => child({ key: 'a' }))
  const inner = logger.child({ step: 1 })
  t.same(made, [])
  for (const level of ['debug', 'info', 'warn', 'error'] as const) inner[level]({}, level)
  logger.info({}, 'outer')
  t.same(
    [made, lines],
    [
      [{ key: 'a' }, { step: 1 }],
      ['debug', 'info', 'warn', 'error', 'outer'],
    ],
  )
})
