import t from 'tap'
import { timeUntil } from './recorded-time.js'

void t.test('a recorded time is waited for, unless a clock ahead recorded it', (t) => {
  const now = new Date('2026-01-01T00:00:00Z')
  const left = (inMs: number, waitMs = 1_000) => timeUntil(now.getTime() + inMs, now, { waitMs })
  t.equal(left(1_000), 1_000)
  t.equal(left(2_000), 2_000)
  t.equal(left(2_001), 0)
  t.equal(left(-1), 0)
  t.equal(timeUntil(Number.NaN, now, { waitMs: 1_000 }), 0)
  t.equal(left(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY, 'never')
  t.equal(left(1e300, 1e300), 1e300)
  t.end()
})
