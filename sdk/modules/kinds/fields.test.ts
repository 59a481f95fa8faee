import t from 'tap'
import { configMapKey, nameIn, timeText } from './fields.js'

void t.test('a reference without a namespace is to the namespace of its field', (t) => {
  t.strictSame(nameIn('team').parse({ name: 'a' }), { name: 'a', namespace: 'team' })
  t.strictSame(configMapKey('data').parse({ name: 'a' }), { name: 'a', namespace: 'default', key: 'data' })
  t.throws(() => nameIn('team').parse({ name: '' }))
  t.end()
})

void t.test('a time has no fraction of a second, as in the status of other objects', (t) => {
  t.equal(timeText(new Date('2026-03-27T19:00:00.123Z')), '2026-03-27T19:00:00Z')
  t.end()
})
