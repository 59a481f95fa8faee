import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { WorkHistory } from './work-history.js'

void t.test('only the latest writes keep the fields that they changed', (t) => {
  const history = new WorkHistory(new VirtualClock())
  const change = { path: 'data.text', from: null, to: '1' }
  const write = { what: 'write', atMs: 0, side: 'host', verb: 'written', resourceVersion: '1' } as const
  for (let n = 0; n < 4000; n++)
    history.add({ what: 'subject', subject: `${n}`, entry: { ...write, changes: [change] } })
  const entries = Array.from({ length: 4000 }, (_, n) => history.latest(`${n}`))
  t.equal(entries.filter((entry) => entry && 'changes' in entry).length, 2000)
  t.strictSame(entries[0], write, 'the write itself is remembered')
  t.strictSame(entries.at(-1), { ...write, changes: [change] })
  t.end()
})
