import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { runChecks } from '../../engine/health/health.js'
import { configMaps, secrets } from '../../engine/kube/builtin.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { SyncState } from '../../engine/store/sync-state.js'
import { AdmissionCaches } from './admission-caches.js'
import { ConversionWait } from './conversion-wait.js'

/** A cluster whose caches of ConfigMaps and Secrets are filled by the test. */
function setUp() {
  const states = { configmaps: new SyncState(), secrets: new SyncState() }
  const storeOf = (state: SyncState) => ({
    get synced() {
      return state.synced
    },
    get: () => undefined,
    list: () => [],
    whenSynced: (signal?: AbortSignal) => state.when(() => state.synced, signal),
    whenAnswered: (signal?: AbortSignal) => state.when(() => state.synced || state.forbidden, signal),
  })
  const stores = { configmaps: storeOf(states.configmaps), secrets: storeOf(states.secrets) }
  const store = ({ plural }: { plural: string }) => stores[plural as keyof typeof stores]
  const watched = [configMaps, secrets].map((resource) => ({ resource, store: store(resource) }))
  const clock = new VirtualClock()
  const caches = new AdmissionCaches({ clock })
  caches.attach({ store, watched } as never)
  return { caches, clock, states }
}

const { signal } = new AbortController()

void t.test(
  'a review reads the caches of the namespaces that controllers see, and asks for no other',
  (t) => {
    const asked: (string | undefined)[] = []
    const store = (_resource: unknown, scope?: { namespace?: string }) => {
      asked.push(scope?.namespace)
      const name = scope?.namespace
      return { synced: true, get: () => ({ metadata: { name } }), list: () => [{ metadata: { name } }] }
    }
    const watched = ['one', 'two'].map((namespace) => ({ resource: configMaps, namespace }))
    const caches = new AdmissionCaches({ clock: new VirtualClock() })
    caches.attach({ store, watched } as never)
    const seen = caches.store(configMaps)
    t.equal(seen.get({ namespace: 'two', name: 'a' })?.metadata.name, 'two')
    t.same(
      seen.in('one').map(({ metadata }) => metadata.name),
      ['one'],
    )
    t.same(
      seen.in(undefined).map(({ metadata }) => metadata.name),
      ['one', 'two'],
    )
    t.throws(() => seen.get({ namespace: 'three', name: 'a' }), {
      message:
        'the operator watches configmaps only in the namespaces one, two: add the kind to webhooks.reads',
    })
    t.notOk(asked.includes(undefined), 'no cache of all namespaces, for which the permission is missing')
    t.end()
  },
)

void t.test('a review waits for a cache that is being filled, and is answered then', async (t) => {
  const { caches, states } = setUp()
  let asked = 0
  const answer = caches.whenFilled(() => {
    asked++
    return caches.store(configMaps).in('default').length
  })
  states.configmaps.complete('1')
  t.equal(await answer, 0)
  t.equal(asked, 2)
})

void t.test(
  'a review of a cache that stays empty is refused after three seconds, with its kind',
  async (t) => {
    const { caches, clock } = setUp()
    const answer = caches.whenFilled(() => caches.store(configMaps))
    const refused = t.rejects(answer, { status: 503, message: 'the cache of configmaps is not filled yet' })
    await clock.advance(2999)
    await clock.advance(1)
    await refused
  },
)

void t.test('a replica is not ready while a cache is filled that needs no conversion', async (t) => {
  const { caches, states } = setUp()
  const isReady = () => runChecks([caches.check]).ok
  t.ok(isReady(), 'before anything can be listed')
  caches.expect(({ plural }) => plural === 'configmaps', signal)
  t.match(runChecks([caches.check]).text, 'the caches of configmaps are being filled')
  states.configmaps.complete('1')
  await new Promise((resolve) => setImmediate(resolve))
  t.ok(isReady(), 'secrets may wait for the conversions of this replica')
  caches.expect(() => true, signal)
  states.secrets.forbid()
  await new Promise((resolve) => setImmediate(resolve))
  t.ok(isReady(), 'a kind that may not be listed does not hold it')
})

void t.test('conversions are awaited over errors, and get a second to be used', async (t) => {
  const clock = new VirtualClock()
  const answers: (() => boolean)[] = [
    () => {
      throw new Error('no answer')
    },
    () => false,
    () => true,
  ]
  const wait = new ConversionWait({
    hasConversions: async () => answers.shift()?.() ?? true,
    logger: silentLogger,
    clock,
  })
  let isOver = false
  void wait.whenConverted(signal).then(() => {
    isOver = true
  })
  await clock.advance(1500)
  t.notOk(isOver)
  await clock.advance(1000)
  t.ok(isOver)
})
