import t from 'tap'
import { lazyLogger } from '../observe/lazy-logger.js'
import { type LogFields, silentLogger } from '../observe/logger.js'
import { abortSignalOf, Cancellation, cancelledWith } from './cancellation.js'
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

void t.test('the AbortSignal of a cancellation is made once, and aborts with it', async (t) => {
  const outer = new AbortController()
  const cancellation = cancelledWith(outer.signal)
  const signal = abortSignalOf(cancellation)
  t.equal(abortSignalOf(cancellation), signal)
  t.equal(abortSignalOf(outer.signal), outer.signal)
  t.notOk(signal.aborted)
  outer.abort('over')
  t.strictSame([signal.aborted, signal.reason], [true, 'over'])
  const late = abortSignalOf(cancelledWith(outer.signal))
  t.strictSame([late.aborted, late.reason], [true, 'over'], 'a late one is aborted from the start')
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

void t.test('a lazy logger is not made for debug lines that are not written', async (t) => {
  const lines: string[] = []
  const make = () => ({
    ...silentLogger,
    debug: () => lines.push('debug'),
    info: () => lines.push('info'),
  })
  const isLevelEnabled = (level: string) => level !== 'debug'
  const logger = lazyLogger(
    () => {
      lines.push('made')
      return make()
    },
    { isLevelEnabled },
  )
  logger.debug({}, 'left out')
  logger.child({ step: 1 }).debug({}, 'left out')
  t.same(lines, [])
  logger.info({}, 'written')
  t.same(lines, ['made', 'info'])
})
