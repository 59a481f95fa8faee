import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { SentStatuses } from './sent-statuses.js'

const cluster = (uid: string) => ({ metadata: { uid, name: 'db' }, spec: {} })

void t.test('an unchanged status is sent twice, and then after a pause', async (t) => {
  const clock = new VirtualClock()
  const sent = new SentStatuses({ clock })
  const send = (uid: string, text: string) => sent.shouldSend(cluster(uid), Buffer.from(text))
  t.strictSame([send('a', '{}'), send('a', '{}'), send('a', '{}')], [true, true, false])
  t.ok(send('b', '{}'), 'another Cluster')
  t.ok(send('a', '{"tier":1}'), 'another status')
  await clock.advance(59_000)
  t.strictSame([send('a', '{"tier":1}'), send('a', '{"tier":1}')], [true, false])
  await clock.advance(1000)
  t.ok(send('a', '{"tier":1}'))
})
