import t from 'tap'
import { configMaps } from '../../kube/builtin.js'
import { DriftFinder } from './drift-finder.js'

const object = (data: object) => ({
  resource: configMaps,
  key: { namespace: 'default', name: 'a' },
  object: { metadata: { namespace: 'default', name: 'a' }, ...{ data } },
})
const live = (data: object, generation = 1) => ({
  metadata: { namespace: 'default', name: 'a', uid: 'u', generation },
  ...{ data },
})

void t.test('an object that stays different after an apply counts as unchanged until it changes', (t) => {
  const drift = new DriftFinder()
  t.strictSame(drift.drift(object({ cpu: '1000m' }), live({ cpu: '1' }))?.paths, ['data.cpu'])
  drift.applied(object({ cpu: '1000m' }), live({ cpu: '1' }))
  t.equal(drift.drift(object({ cpu: '1000m' }), live({ cpu: '1' })), undefined)
  t.ok(drift.drift(object({ cpu: '1000m' }), live({ cpu: '2' }, 2)))
  t.end()
})

void t.test('an object may have integers that no number of JavaScript holds', (t) => {
  const drift = new DriftFinder()
  const large = { runAsUser: 9_223_372_036_854_775_807n }
  drift.applied(object({ cpu: '1000m' }), live({ cpu: '1', ...large }))
  t.equal(drift.drift(object({ cpu: '1000m' }), live({ cpu: '1', ...large })), undefined)
  t.end()
})
