import t from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import type { ReconcileRun } from '../run/release-run.js'
import { remainingBackoffMs } from './failed-inputs.js'

void t.test('failed inputs wait from their failure, but not for a clock that was ahead', (t) => {
  const clock = new VirtualClock()
  const leftAfter = (at: string) => {
    const run = { ctx: { clock }, options: { retryFailedMs: 60_000 } } as unknown as ReconcileRun
    return remainingBackoffMs(run, { version: 1, inputs: '', at, message: '', to: 0 })
  }
  const secondsAgo = (seconds: number) => new Date(clock.date().getTime() - seconds * 1_000).toISOString()
  t.equal(leftAfter(secondsAgo(0)), 60_000)
  t.equal(leftAfter(secondsAgo(20)), 40_000)
  t.equal(leftAfter(secondsAgo(61)), 0)
  t.equal(leftAfter(secondsAgo(-30)), 90_000)
  t.equal(leftAfter(secondsAgo(-86_400)), 0)
  t.end()
})
