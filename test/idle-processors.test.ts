// Tests how `npm test` finds out that processors are idle.
import t from 'tap'
import { IdleProcessors } from '../scripts/idle-processors.mjs'

/** Processors that have been busy and idle for so long, each in milliseconds. */
const processors = (...all: readonly (readonly [busy: number, idle: number])[]) =>
  all.map(([busy, idle]) => ({ times: { user: busy, nice: 0, sys: 0, idle, irq: 0 } }))

void t.test('processors are idle since the last question', async (t) => {
  let now = processors([50, 950], [0, 1000])
  const idle = new IdleProcessors(() => now, 2)
  now = processors([550, 1450], [0, 2000])
  t.equal(idle.sinceLast(), 1.5)
  now = processors([1550, 1450], [1000, 2000])
  t.equal(idle.sinceLast(), 0)
  t.equal(idle.sinceLast(), 2, 'no time has passed')
})

void t.test('on a larger machine, what others use is taken from what is available', async (t) => {
  let now = processors([0, 0], [0, 0], [0, 0], [0, 0])
  const idle = new IdleProcessors(() => now, 2)
  now = processors([100, 0], [50, 50], [0, 100], [0, 100])
  t.equal(idle.sinceLast(), 0.5)
  now = processors([200, 0], [150, 50], [100, 100], [0, 200])
  t.equal(idle.sinceLast(), 0)
})

void t.test('it reads the times of this machine', async (t) => {
  t.ok(new IdleProcessors().sinceLast() >= 0)
})
