// Tests how often a program is started.
import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { StartLimit } from './start-limit.js'

void t.test('starts count for the whole time, each from its own moment', async (t) => {
  const clock = new VirtualClock()
  const limit = new StartLimit(clock, { maxStarts: 3, withinMs: 300_000 })
  for (let start = 0; start < 3; start++) {
    t.equal(limit.take(), 0)
    await clock.advance(100_000)
  }
  t.equal(limit.take(), 0, 'the first one is as long ago')
  t.equal(limit.take(), 100_000, 'the second one counts for a while')
  t.equal(limit.take(), 100_000, 'a refusal is not a start')
  await clock.advance(99_999)
  t.equal(limit.take(), 1)
  await clock.advance(1)
  t.equal(limit.take(), 0)
})
