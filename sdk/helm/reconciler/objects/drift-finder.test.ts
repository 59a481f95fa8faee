import t from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { DriftFinder } from './drift-finder.js'
import type { ReleaseObject } from './release-object.js'

const object = (data: object) => ({
  resource: configMaps,
  key: { namespace: 'default', name: 'a' },
  object: { metadata: { namespace: 'default', name: 'a' }, data },
})
const live = (data: object, generation = 1) => ({
  metadata: { namespace: 'default', name: 'a', uid: 'u', generation },
  data,
})

void t.test('an object that stays different after an apply counts as unchanged until it changes', (t) => {
  const drift = new DriftFinder()
  t.strictSame(drift.findDrift(object({ cpu: '1000m' }), live({ cpu: '1' }))?.paths, ['data.cpu'])
  drift.noteApplied(object({ cpu: '1000m' }), live({ cpu: '1' }))
  t.equal(drift.findDrift(object({ cpu: '1000m' }), live({ cpu: '1' })), undefined)
  t.ok(drift.findDrift(object({ cpu: '1000m' }), live({ cpu: '2' }, 2)))
  t.end()
})

void t.test('a field that the server stores in another form is not named when another one changes', (t) => {
  const drift = new DriftFinder()
  const wanted = object({ cpu: '1000m', text: 'one', 'a.b/c': 'x' })
  drift.noteApplied(wanted, live({ cpu: '1', text: 'one', 'a.b/c': 'x' }))
  t.strictSame(drift.findDrift(wanted, live({ cpu: '1', text: 'two', 'a.b/c': 'y' }, 2))?.paths, [
    'data.text',
    String.raw`data.a\.b/c`,
  ])
  t.equal(drift.findDrift(wanted, live({ cpu: '1', text: 'one', 'a.b/c': 'x', more: '' }, 3)), undefined)
  t.end()
})

void t.test('an object may have integers that no number of JavaScript holds', (t) => {
  const drift = new DriftFinder()
  const large = { runAsUser: 9_223_372_036_854_775_807n }
  drift.noteApplied(object({ cpu: '1000m', ...large }), live({ cpu: '1', runAsUser: 1n }))
  t.equal(drift.findDrift(object({ cpu: '1000m', ...large }), live({ cpu: '1', runAsUser: 1n })), undefined)
  t.end()
})

void t.test(
  'fields that others set back are corrected more and more rarely; other fields at once',
  async (t) => {
    const clock = new VirtualClock()
    const drift = new DriftFinder(undefined, clock)
    const wanted = object({ mode: 'one', text: 'one' })
    const correct = (data: object) => {
      const found = drift.findDrift(wanted, live(data))
      const correctable = found && drift.correctablePart(found, live(data))
      if (correctable) drift.noteCorrected(correctable)
      return correctable
    }
    const failing = drift.findDrift(wanted, live({ mode: 'two', text: 'one' }))
    for (let count = 0; failing && count < 9; count++)
      t.ok(drift.correctablePart(failing, live({ mode: 'two' })), 'corrections that fail do not count')
    for (let count = 0; count < 5; count++)
      t.strictSame(correct({ mode: 'two', text: 'one' })?.paths, ['data.mode'])
    t.equal(correct({ mode: 'two', text: 'one' }), undefined)
    const other = correct({ mode: 'two', text: 'two' })
    t.strictSame(other?.paths, ['data.text'])
    t.match(
      other?.object.object,
      { data: { mode: 'two', text: 'one' } },
      'the contested field keeps its value',
    )
    await clock.advance(10_000)
    t.strictSame(correct({ mode: 'two', text: 'one' })?.paths, ['data.mode'], 'once after a pause')
    t.equal(correct({ mode: 'two', text: 'one' }), undefined)
    await clock.advance(19_000)
    t.equal(correct({ mode: 'two', text: 'one' }), undefined, 'the next pause is longer')
  },
)

const job = (spec = {}): ReleaseObject => ({
  resource: { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true },
  key: { namespace: 'default', name: 'a' },
  object: { metadata: { namespace: 'default', name: 'a' }, spec } as KubeObject,
})
const liveJob = (spec: object, type?: string) =>
  ({
    metadata: { namespace: 'default', name: 'a' },
    spec,
    ...(type && { status: { conditions: [{ type, status: 'True' }] } }),
  }) as KubeObject

void t.test('a Job with a time to live that is gone after its end is not drift', async (t) => {
  const clock = new VirtualClock()
  const ttl = { ttlSecondsAfterFinished: 30 }
  const isGone = (drift: DriftFinder, spec = {}) => drift.findDrift(job(spec), undefined) !== undefined
  const seen = (spec: object, type?: string) => {
    const drift = new DriftFinder(undefined, clock)
    drift.noteApplied(job(), liveJob(spec, type))
    return drift
  }
  t.equal(isGone(new DriftFinder(undefined, clock), ttl), false, 'another process may have seen its end')
  t.equal(isGone(new DriftFinder(undefined, clock)), true, 'without a time to live it is drift')
  for (const type of ['Complete', 'Failed']) t.equal(isGone(seen(ttl, type), ttl), false)
  t.equal(isGone(seen({}, 'Complete')), true)
  t.equal(isGone(seen(ttl, 'Complete')), false, 'the time to live may be that of a policy of the cluster')
  const running = seen(ttl)
  t.equal(isGone(running, ttl), true, 'somebody deleted it while it ran')
  await clock.advance(29_000)
  t.equal(isGone(running, ttl), false, 'it may have ended meanwhile')
  t.end()
})
