import fc from 'fast-check'
import { Subject } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { createPrometheusMetrics } from '../health/prometheus-metrics.js'
import { configMaps, nodes, secrets } from '../kube/builtin.js'
import type { KubeObject } from '../kube/object.js'
import type { LogFields, Logger } from '../observe/logger.js'
import type { WatchEvent } from '../watch/event.js'
import { intoStore } from './into-store.js'
import type { Change, Store } from './store.js'
import { StoreWriter } from './store-writer.js'
import { Stores } from './stores.js'

const cm = (name: string, uid: string, resourceVersion: number | string): KubeObject => ({
  metadata: { namespace: 'default', name, uid, resourceVersion: `${resourceVersion}` },
})
const key = (name: string) => ({ namespace: 'default', name })
const applied = (object: KubeObject): WatchEvent => ({ type: 'applied', object })
const deleted = (object: KubeObject): WatchEvent => ({ type: 'deleted', object })
const bookmark = (resourceVersion: number | string): WatchEvent => ({
  type: 'bookmark',
  resourceVersion: `${resourceVersion}`,
})
const list = (resourceVersion: number | string, ...objects: KubeObject[]): WatchEvent[] => [
  { type: 'listStarted' },
  ...objects.map((object): WatchEvent => ({ type: 'listed', object })),
  { type: 'listDone', resourceVersion: `${resourceVersion}` },
]
const feed = (writer: StoreWriter, ...events: WatchEvent[]) => events.flatMap((event) => writer.apply(event))
const shown = <T extends KubeObject>(store: Store<T>) =>
  Object.fromEntries(
    store.list().map(({ metadata }) => [metadata.name, `${metadata.uid}@${metadata.resourceVersion}`]),
  )
const words = (changes: Change[]) =>
  changes.map(
    ({ key, object, previous, gone }) =>
      `${gone ? '-' : '+'}${key.name} ${object.metadata.uid}@${object.metadata.resourceVersion}` +
      (previous ? ` was ${previous.metadata.uid}@${previous.metadata.resourceVersion}` : ''),
  )

/** A store that has listed `a` and `b` at 10. */
function filled() {
  const writer = new StoreWriter()
  feed(writer, ...list(10, cm('a', 'a1', 5), cm('b', 'b1', 6)))
  return { writer, store: writer.store }
}

void t.test('while an object is left out absence means nothing, until a list has brought it', async (t) => {
  const { writer, store } = filled()
  const leftOut = (name: string): WatchEvent => ({ type: 'leftOut', key: key(name) })
  t.strictSame(words(feed(writer, leftOut('c'))), [])
  t.strictSame([store.synced, store.served, store.leftOut, store.size], [false, true, 1, 2])
  const [started, a, done] = list(20, cm('a', 'a1', 5)) as [WatchEvent, WatchEvent, WatchEvent]
  t.strictSame(words(feed(writer, started, a, leftOut('c'), done)), ['+a a1@5 was a1@5', '-b b1@6 was b1@6'])
  t.strictSame([store.synced, store.leftOut], [false, 1])
  const synced = store.whenSynced()
  feed(writer, ...list(30, cm('a', 'a1', 5), cm('c', 'c1', 15)))
  await synced
  t.strictSame([store.synced, store.leftOut, shown(store)], [true, 0, { a: 'a1@5', c: 'c1@15' }])
})

void t.test('an object that a list names and leaves out is not gone', async (t) => {
  const { writer, store } = filled()
  const named: WatchEvent[] = [{ type: 'listStarted' }, { type: 'leftOut', key: key('a') }]
  t.strictSame(words(feed(writer, ...named, { type: 'listDone', resourceVersion: '20' })), [
    '-b b1@6 was b1@6',
  ])
  t.strictSame([shown(store), store.synced], [{ a: 'a1@5' }, false])
})

void t.test('an event is in the store before the change is emitted', async (t) => {
  const writer = new StoreWriter()
  const { store } = writer
  t.strictSame([store.synced, store.resourceVersion, store.size], [false, undefined, 0])
  const [started, a, ...rest] = list(10, cm('a', 'a1', 5), cm('b', 'b1', 6))
  t.strictSame(words(feed(writer, started as WatchEvent, a as WatchEvent)), ['+a a1@5'])
  t.strictSame([store.get(key('a')), store.synced], [cm('a', 'a1', 5), false])
  t.strictSame(words(feed(writer, ...rest)), ['+b b1@6'])
  t.strictSame([store.synced, store.resourceVersion, store.size], [true, '10', 2])
  t.strictSame(words(feed(writer, applied(cm('a', 'a1', 11)))), ['+a a1@11 was a1@5'])
  t.strictSame(words(feed(writer, deleted(cm('b', 'b1', 12)))), ['-b b1@12 was b1@6'])
  t.strictSame(words(feed(writer, bookmark(20))), [])
  t.strictSame([shown(store), store.resourceVersion], [{ a: 'a1@11' }, '20'])
  t.strictSame(store.list('default').length + store.list('other').length, 1)
})

void t.test(
  'a relist reports objects that were deleted, changed or created again without a watch',
  async (t) => {
    const { writer, store } = filled()
    feed(writer, applied(cm('c', 'c1', 11)))
    const changes = feed(writer, ...list(30, cm('a', 'a2', 25), cm('b', 'b1', 6)))
    t.strictSame(words(changes), ['+a a2@25 was a1@5', '+b b1@6 was b1@6', '-c c1@11 was c1@11'])
    t.strictSame(shown(store), { a: 'a2@25', b: 'b1@6' })
  },
)

void t.test('a list that breaks off and starts again counts from its new start', async (t) => {
  const { writer } = filled()
  const [started, a] = list(20, cm('a', 'a1', 5))
  feed(writer, started as WatchEvent, a as WatchEvent)
  t.strictSame(words(feed(writer, ...list(21, cm('b', 'b1', 6)))), ['+b b1@6 was b1@6', '-a a1@5 was a1@5'])
})

void t.test('our own write is seen at once, and older news of the watch does not take it back', async (t) => {
  const { writer, store } = filled()
  writer.noteWritten(cm('a', 'a1', 13))
  t.strictSame(shown(store), { a: 'a1@13', b: 'b1@6' })
  t.strictSame(words(feed(writer, applied(cm('a', 'a1', 12)))), [])
  t.equal(shown(store).a, 'a1@13')
  t.strictSame(words(feed(writer, applied(cm('a', 'a1', 13)))), ['+a a1@13 was a1@13'])
  t.strictSame(words(feed(writer, applied(cm('a', 'a1', 14)))), ['+a a1@14 was a1@13'])
})

void t.test('resourceVersions are compared as numbers of any length', async (t) => {
  const { writer, store } = filled()
  writer.noteWritten(cm('a', 'a1', '18446744073709551616'))
  feed(writer, applied(cm('a', 'a1', '9999999999999999999')))
  t.equal(shown(store).a, 'a1@18446744073709551616')
  feed(writer, applied(cm('a', 'a1', 'opaque')))
  t.equal(shown(store).a, 'a1@opaque')
})

void t.test(
  'an answer that arrives later than the watch, or than a newer answer, changes nothing',
  async (t) => {
    const { writer, store } = filled()
    feed(writer, applied(cm('a', 'a1', 15)))
    writer.noteWritten(cm('a', 'a1', 14))
    writer.noteWritten(cm('a', 'a1', 15))
    writer.noteWritten(cm('gone', 'g1', 13))
    t.strictSame(shown(store), { a: 'a1@15', b: 'b1@6' })
    writer.noteWritten(cm('a', 'a1', 18))
    writer.noteWritten(cm('a', 'a1', 17))
    t.equal(shown(store).a, 'a1@18')
    const [started, listed] = list(30, cm('a', 'a1', 25))
    feed(writer, started as WatchEvent, listed as WatchEvent)
    writer.noteWritten(cm('a', 'a1', 22))
    t.equal(shown(store).a, 'a1@25')
  },
)

void t.test('a list taken before our own write neither reverts nor drops it', async (t) => {
  const { writer, store } = filled()
  writer.noteWritten(cm('a', 'a1', 33))
  writer.noteWritten(cm('new', 'n1', 34))
  t.strictSame(words(feed(writer, ...list(30, cm('a', 'a1', 20), cm('b', 'b1', 6)))), ['+b b1@6 was b1@6'])
  t.strictSame(shown(store), { a: 'a1@33', b: 'b1@6', new: 'n1@34' })
})

void t.test('a list during our own write is shown once the watch has caught up', async (t) => {
  const { writer, store } = filled()
  writer.noteWritten(cm('a', 'a1', 33))
  writer.noteWritten(cm('b', 'b1', 34))
  feed(writer, ...list(30, cm('a', 'a1', 20)))
  t.strictSame(shown(store), { a: 'a1@33', b: 'b1@34' })
  t.strictSame(words(feed(writer, bookmark(40))), ['+a a1@20 was a1@33', '-b b1@34 was b1@34'])
})

void t.test('a watch that caught up with our own write has the last word', async (t) => {
  const { writer } = filled()
  writer.noteWritten(cm('a', 'a1', 13))
  writer.noteWritten(cm('b', 'b1', 14))
  writer.noteWritten(cm('new', 'n1', 15))
  feed(writer, applied(cm('b', 'b1', 12)))
  t.strictSame(words(feed(writer, bookmark(13))), ['+a a1@5 was a1@13'])
  t.strictSame(words(feed(writer, bookmark(20))), ['+b b1@12 was b1@14', '-new n1@15 was n1@15'])
  t.strictSame(words(feed(writer, bookmark(21))), [])
  writer.noteWritten(cm('a', 'a1', 25))
  t.strictSame(words(feed(writer, ...list(26, cm('b', 'b1', 6)))), [
    '+b b1@6 was b1@12',
    '-a a1@25 was a1@25',
  ])
})

void t.test('an object that we deleted stays away, even after late events', async (t) => {
  const { writer, store } = filled()
  writer.noteDeleted({ key: key('a'), uid: 'a1' })
  t.strictSame(shown(store), { b: 'b1@6' })
  t.strictSame(words(feed(writer, applied(cm('a', 'a1', 12)), bookmark(13))), [])
  t.strictSame(words(feed(writer, deleted(cm('a', 'a1', 14)))), ['-a a1@14'])
  t.strictSame(words(feed(writer, applied(cm('a', 'a2', 15)))), ['+a a2@15'])
})

void t.test('a delete hides one incarnation only', async (t) => {
  const { writer, store } = filled()
  writer.noteDeleted({ key: key('a'), uid: 'other' })
  writer.noteDeleted({ key: key('a'), uid: undefined })
  writer.noteDeleted({ key: key('missing'), uid: 'm1' })
  t.strictSame(shown(store), { a: 'a1@5', b: 'b1@6' })
  writer.noteDeleted({ key: key('a'), uid: 'a1' })
  t.strictSame(words(feed(writer, applied(cm('a', 'a2', 15)))), ['+a a2@15'])
  t.strictSame(words(feed(writer, deleted(cm('b', 'b1', 16)))), ['-b b1@16 was b1@6'])
})

void t.test('a copy we delete and create again is the new one from then on', async (t) => {
  const { writer, store } = filled()
  writer.noteDeleted({ key: key('a'), uid: 'a1' })
  writer.noteWritten(cm('a', 'a1', 12))
  t.notOk(store.get(key('a')), 'a late answer does not bring back what was deleted since')
  writer.noteWritten(cm('a', 'a2', 14))
  t.strictSame(words(feed(writer, applied(cm('a', 'a1', 11)), deleted(cm('a', 'a1', 13)))), [])
  t.equal(shown(store).a, 'a2@14')
  t.strictSame(words(feed(writer, applied(cm('a', 'a2', 14)))), ['+a a2@14 was a2@14'])
  writer.noteDeleted({ key: key('a'), uid: 'a2' })
  writer.noteWritten(cm('a', 'a3', 17))
  t.strictSame(words(feed(writer, deleted(cm('a', 'a2', 16)), deleted(cm('a', 'a3', 18)))), [
    '-a a3@18 was a3@17',
  ])
})

void t.test('a list that began after our delete is believed, one under way is not', async (t) => {
  const { writer, store } = filled()
  const [started, ...rest] = list(20, cm('a', 'a1', 5), cm('b', 'b1', 6))
  feed(writer, started as WatchEvent)
  writer.noteDeleted({ key: key('a'), uid: 'a1' })
  feed(writer, ...rest)
  t.strictSame(shown(store), { b: 'b1@6' })
  t.strictSame(words(feed(writer, ...list(30, cm('a', 'a1', 25), cm('b', 'b1', 6)))), [
    '+b b1@6 was b1@6',
    '+a a1@25',
  ])
  writer.noteDeleted({ key: key('a'), uid: 'a1' })
  feed(writer, ...list(40, cm('b', 'b1', 6)))
  t.strictSame(shown(store), { b: 'b1@6' })
})

void t.test('a cluster restored from a backup is believed, our later writes are gone with it', async (t) => {
  const { writer, store } = filled()
  feed(writer, bookmark(100))
  writer.noteWritten(cm('a', 'a1', 101))
  writer.noteWritten(cm('new', 'n1', 102))
  writer.noteDeleted({ key: key('b'), uid: 'b1' })
  feed(writer, ...list(50, cm('a', 'a1', 5), cm('b', 'b1', 6)))
  t.strictSame([shown(store), store.resourceVersion], [{ a: 'a1@5', b: 'b1@6' }, '50'])
  feed(writer, applied(cm('a', 'a1', 51)))
  t.strictSame([shown(store).a, store.resourceVersion], ['a1@51', '51'])
})

void t.test('of a restored cluster a list counts, however high our writes were before it', async (t) => {
  const { writer, store } = filled()
  feed(writer, bookmark(100))
  writer.noteWritten(cm('a', 'a1', 120))
  writer.noteWritten(cm('new', 'n1', 121))
  const [started, a, b] = list(110, cm('a', 'a1', 5), cm('b', 'b1', 6))
  feed(writer, ...[started, a].filter((event) => event !== undefined))
  writer.noteWritten(cm('later', 'l1', 111))
  feed(writer, ...[b].filter((event) => event !== undefined))
  feed(writer, { type: 'listDone', resourceVersion: '110', restored: true })
  t.strictSame(shown(store), { a: 'a1@5', b: 'b1@6', later: 'l1@111' })
})

void t.test('an answer is kept as a copy without managedFields', async (t) => {
  const { writer, store } = filled()
  const data = { text: 'as written' }
  const answer = {
    ...cm('a', 'a1', 20),
    metadata: { ...cm('a', 'a1', 20).metadata, managedFields: [{}] },
    data,
  }
  writer.noteWritten(answer)
  data.text = 'changed by its owner'
  t.strictSame(store.get(key('a')), { ...cm('a', 'a1', 20), data: { text: 'as written' } })
  t.strictSame(answer.metadata.managedFields, [{}])
})

void t.test('an answer that is what was sent shares the frozen parts of that, and no others', async (t) => {
  const { writer, store } = filled()
  const [data, own] = [{ text: 'as written' }, { list: ['x'] }]
  const answer = { ...cm('a', 'a1', 20), data, ['__proto__']: { list: ['x'] } }
  const frozen = Object.freeze({ text: 'as written' })
  const sent = { ...cm('a', 'a1', 20), data: frozen, ['__proto__']: own }
  writer.noteWritten(answer, undefined, sent)
  own.list.push('changed by its owner')
  data.text = 'changed by its owner'
  const stored = store.get(key('a')) ?? {}
  t.equal(Object.entries(stored).find(([name]) => name === 'data')?.[1], frozen)
  t.strictSame(Object.entries(stored), [
    ['metadata', cm('a', 'a1', 20).metadata],
    ['data', { text: 'as written' }],
    ['__proto__', { list: ['x'] }],
  ])
})

void t.test('an index finds objects by their present values', async (t) => {
  const { writer, store } = filled()
  store.addIndex('version', ({ metadata }) => [metadata.resourceVersion ?? '', metadata.uid ?? ''])
  const found = (value: string) => store.byIndex('version', value).map(({ metadata }) => metadata.name)
  feed(writer, applied(cm('b', 'b1', 11)))
  t.strictSame([found('5'), found('a1'), found('6'), found('11'), found('?')], [['a'], ['a'], [], ['b'], []])
  feed(writer, deleted(cm('a', 'a1', 12)))
  writer.noteWritten(cm('b', 'b1', 13))
  t.strictSame([found('5'), found('11'), found('13')], [[], [], ['b']])
  t.throws(() => store.addIndex('version', () => []), { code: 'DUPLICATE_INDEX' })
  t.throws(() => store.byIndex('uid', 'a1'), { code: 'UNKNOWN_INDEX' })
})

void t.test(
  'an index function that throws costs its object the place in the index, nothing else',
  async (t) => {
    const logged: LogFields[] = []
    const quiet = () => {}
    const logger: Logger = {
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: (fields) => logged.push(fields),
      child: () => logger,
    }
    const writer = new StoreWriter({ logger })
    const { store } = writer
    store.addIndex('label', ({ metadata }) => {
      if (metadata.name === 'bad') throw new Error('broken')
      return ['all']
    })
    t.equal(feed(writer, applied(cm('bad', 'x', 1)), applied(cm('a', 'a1', 2))).length, 2)
    t.strictSame([store.size, store.byIndex('label', 'all').length], [2, 1])
    t.match(logged, [{ index: 'label', key: 'default/bad' }])
  },
)

void t.test('`whenSynced` resolves with the first list, or rejects when it is aborted', async (t) => {
  const writer = new StoreWriter()
  const { store } = writer
  const stop = new AbortController()
  const patient = store.whenSynced()
  const impatient = store.whenSynced(stop.signal)
  stop.abort(new Error('stopped'))
  await t.rejects(impatient, { message: 'stopped' })
  await t.rejects(store.whenSynced(stop.signal), { message: 'stopped' })
  feed(writer, ...list(1))
  await patient
  await store.whenSynced(new AbortController().signal)
})

void t.test('intoStore hands on each change in the order of events', async () => {
  new TestScheduler((actual, expected) => t.strictSame(actual, expected)).run(
    ({ cold, expectObservable }) => {
      const [s, a, b, d] = list(10, cm('a', 'a1', 5), cm('b', 'b1', 6)) as [
        WatchEvent,
        WatchEvent,
        WatchEvent,
        WatchEvent,
      ]
      const e = deleted(cm('a', 'a1', 11))
      const events$ = cold<WatchEvent>('sab-d-e-(sd)|', { s, a, b, d, e })
      expectObservable(events$.pipe(intoStore(new StoreWriter()))).toBe('-ab---e-f---|', {
        a: { key: key('a'), object: cm('a', 'a1', 5), gone: false },
        b: { key: key('b'), object: cm('b', 'b1', 6), gone: false },
        e: { key: key('a'), object: cm('a', 'a1', 11), previous: cm('a', 'a1', 5), gone: true },
        f: { key: key('b'), object: cm('b', 'b1', 6), previous: cm('b', 'b1', 6), gone: true },
      })
    },
  )
})

void t.test('one kind has one store and one watch for all callers', async (t) => {
  const watches: { plural: string; namespace: string | undefined; events$: Subject<WatchEvent<never>> }[] = []
  const pages: ((remaining: number | undefined) => void)[] = []
  let told = 0
  const stores = new Stores({
    namespace: 'target',
    watch: ({ plural }, { namespace, onPage = () => {} }) => {
      const events$ = new Subject<WatchEvent<never>>()
      watches.push({ plural, namespace, events$ })
      pages.push(onPage)
      return events$
    },
    onPage: () => told++,
  })
  const stop = new AbortController()
  const changes: Change[] = []
  t.equal(stores.store(configMaps), stores.store(configMaps))
  t.not(stores.store(configMaps), stores.store(secrets))
  stores.changes$(configMaps).subscribe((one) => changes.push(one))
  t.strictSame(watches, [])
  stores.start(stop.signal)
  stores.changes$(nodes)
  t.strictSame(
    watches.map(({ plural, namespace }) => [plural, namespace]),
    [
      ['configmaps', 'target'],
      ['secrets', 'target'],
      ['nodes', undefined],
    ],
  )
  const synced = stores.whenSynced()
  for (const { events$ } of watches)
    for (const event of list(1, cm('a', 'a1', 1))) events$.next(event as never)
  await synced
  t.strictSame(words(changes), ['+a a1@1'])
  t.strictSame(
    stores.entries.map(({ resource, store }) => [resource.plural, store.size, store.synced]),
    [
      ['configmaps', 1, true],
      ['secrets', 1, true],
      ['nodes', 1, true],
    ],
  )
  for (const remaining of [41, undefined]) {
    pages[0]?.(remaining)
    t.equal(stores.entries[0]?.expected, remaining && 42)
  }
  t.equal(told, 2)
  stop.abort()
  t.notOk(watches.some(({ events$ }) => events$.observed))
  stores.store({ ...configMaps, plural: 'late' })
  t.equal(watches.length, 3)
})

void t.test('our own writes reach the store of their kind, if it covers them', async (t) => {
  const stores = new Stores({ namespace: 'default', watch: () => new Subject() })
  const [a, c] = [cm('a', 'a1', 1), cm('c', 'c1', 1)]
  stores.noteWritten(configMaps, a)
  stores.noteDeleted(configMaps, { key: key('a'), uid: 'a1' })
  const [store, nodeStore] = [stores.store(configMaps), stores.store(nodes)]
  stores.noteWritten(configMaps, a)
  stores.noteWritten(configMaps, { metadata: { ...c.metadata, namespace: 'elsewhere' } })
  stores.noteWritten(nodes, { metadata: { name: 'n', uid: 'n1', resourceVersion: '1' } })
  t.strictSame([shown(store), nodeStore.size], [{ a: 'a1@1' }, 1])
  stores.noteDeleted(configMaps, { key: key('a'), uid: 'a1' })
  t.equal(store.size, 0)
})

void t.test('how far the stores lag behind, and behind our own writes, is measured', async (t) => {
  const metrics = createPrometheusMetrics()
  const clock = new VirtualClock()
  const watches: Subject<WatchEvent<never>>[] = []
  const watch = () => {
    const events$ = new Subject<WatchEvent<never>>()
    watches.push(events$)
    return events$
  }
  const stores = new Stores({ watch, clock, metrics, cluster: 'host', namespace: 'target' })
  stores.store(configMaps)
  stores.store(nodes)
  stores.start(new AbortController().signal)
  const say = (index: number, ...events: WatchEvent[]) => {
    for (const event of events) watches[index]?.next(event as never)
  }
  const told = async (name: string) => {
    const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith(`${name}{`))
    return lines.map((line) => line.replace(/^.*resource="(\w+)",namespace="(\w*)"} /, '$1/$2 '))
  }
  say(0, ...list(10, cm('a', 'a1', 5)))
  say(1, ...list(12))
  t.strictSame(await told('store_objects'), ['configmaps/target 1', 'nodes/ 0'])
  t.strictSame(await told('store_resource_version'), ['configmaps/target 10', 'nodes/ 12'])
  t.strictSame(await told('sync_staleness_rv'), ['configmaps/target 2', 'nodes/ 0'])

  stores.noteWritten(configMaps, { metadata: { ...cm('b', 'b1', 20).metadata, namespace: 'target' } })
  await clock.advance(3000)
  t.strictSame(await told('sync_staleness_rv'), ['configmaps/target 10', 'nodes/ 8'])
  t.strictSame(await told('store_unconfirmed_writes'), ['configmaps/target 1', 'nodes/ 0'])
  t.strictSame(await told('store_oldest_unconfirmed_write_seconds'), ['configmaps/target 3', 'nodes/ 0'])

  say(0, bookmark(20))
  t.strictSame(await told('sync_staleness_rv'), ['configmaps/target 0', 'nodes/ 8'])
  t.strictSame(await told('store_unconfirmed_writes'), ['configmaps/target 0', 'nodes/ 0'])
  t.match(await metrics.text(), 'store_own_write_confirmed_seconds_sum{cluster="host"} 3\n')
  t.match(await metrics.text(), 'store_own_write_confirmed_seconds_count{cluster="host"} 1\n')
})

void t.test('a watch that fails is logged and takes no other down', async (t) => {
  const logged: string[] = []
  const quiet = () => {}
  const logger: Logger = {
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: (_, message) => logged.push(message),
    child: () => logger,
  }
  const failing$ = new Subject<never>()
  const stores = new Stores({ watch: () => failing$, logger })
  stores.store(configMaps)
  stores.start(new AbortController().signal)
  failing$.error(new Error('broken'))
  t.strictSame(logged, ['the watch ended; the store is no longer updated'])
})

/** An API server with one kind of object, whose watch and whose answers to our writes arrive late. */
class LateServer {
  readonly writer = new StoreWriter()
  readonly store = this.writer.store
  /** Each name's states in order; `undefined` is absence. */
  readonly history = new Map<string, { revision: number; object: KubeObject | undefined }[]>()
  readonly #noted = new Map<string, number>()
  #revision = 1
  #uids = 0
  #events: { revision: number; event: WatchEvent }[] = []
  #answers: (() => void)[] = []
  #list: WatchEvent[] = []

  current(name: string) {
    return this.history.get(name)?.at(-1)?.object
  }

  write(name: string, isOurs: boolean) {
    const uid = this.current(name)?.metadata.uid ?? `${name}-${this.#uids++}`
    const object = cm(name, uid, ++this.#revision)
    this.#record(name, object, applied(object))
    const revision = this.#revision
    if (isOurs) this.#answers.push(() => this.#note(name, revision, () => this.writer.noteWritten(object)))
  }

  delete(name: string, isOurs: boolean) {
    const object = this.current(name)
    if (object === undefined) return
    const uid = object.metadata.uid
    this.#record(name, undefined, deleted(cm(name, uid ?? '', ++this.#revision)))
    const revision = this.#revision
    // A delete by UID is visible at once only if the store shows that very object.
    const note = () => {
      const isShown = this.store.get(key(name))?.metadata.uid === uid
      this.#note(name, isShown ? revision : 0, () => this.writer.noteDeleted({ key: key(name), uid }))
    }
    if (isOurs) this.#answers.push(note)
  }

  /** The next event, or the next of a list under way. */
  deliver() {
    const event = this.#list.shift() ?? this.#events.shift()?.event
    if (event) this.writer.apply(event)
  }

  bookmark() {
    const next = this.#events[0]?.revision
    if (this.#list.length === 0) this.writer.apply(bookmark(next === undefined ? this.#revision : next - 1))
  }

  relist() {
    const objects = [...this.history.keys()].flatMap((name) => this.current(name) ?? [])
    this.#list = list(this.#revision, ...objects)
    this.#events = []
    this.deliver()
  }

  answer(index: number) {
    for (const arrive of this.#answers.splice(index % Math.max(1, this.#answers.length), 1)) arrive()
  }

  /** Throws if a name shows what it never was, or what it was before something shown or noted already. */
  check(name: string) {
    const least = this.#noted.get(name) ?? 0
    const object = this.store.get(key(name))
    const states = [{ revision: 0, object: undefined }, ...(this.history.get(name) ?? [])]
    const fits = states.filter((state, index) => {
      const isValidAtFloor = (states[index + 1]?.revision ?? Number.POSITIVE_INFINITY) > least
      return isValidAtFloor && state.object?.metadata.resourceVersion === object?.metadata.resourceVersion
    })
    const [earliest] = fits
    if (!earliest) throw new Error(`${name} went back to ${JSON.stringify(object)} from ${least}`)
    this.#noted.set(name, Math.max(least, earliest.revision))
  }

  #record(name: string, object: KubeObject | undefined, event: WatchEvent) {
    this.history.set(name, [...(this.history.get(name) ?? []), { revision: this.#revision, object }])
    this.#events.push({ revision: this.#revision, event })
  }

  #note(name: string, revision: number, note: () => void) {
    note()
    this.#noted.set(name, Math.max(this.#noted.get(name) ?? 0, revision))
  }
}

void t.test('however late watch and answers are, no reader ever goes back in time', async (t) => {
  const step = fc.record({
    do: fc.constantFrom(
      'write',
      'ours',
      'delete',
      'deleteOurs',
      'deliver',
      'deliver',
      'answer',
      'bookmark',
      'relist',
    ),
    name: fc.constantFrom('a', 'b'),
    index: fc.nat(3),
  })
  const run = (steps: { do: string; name: string; index: number }[]) => {
    const server = new LateServer()
    server.relist()
    const actions: Record<string, (name: string, index: number) => void> = {
      write: (name) => server.write(name, false),
      ours: (name) => server.write(name, true),
      delete: (name) => server.delete(name, false),
      deleteOurs: (name) => server.delete(name, true),
      deliver: () => server.deliver(),
      answer: (_, index) => server.answer(index),
      bookmark: () => server.bookmark(),
      relist: () => server.relist(),
    }
    for (const { do: action, name, index } of steps) {
      actions[action]?.(name, index)
      server.check('a')
      server.check('b')
    }
    for (let rest = 0; rest < 200; rest++) {
      server.answer(0)
      server.deliver()
    }
    server.bookmark()
    for (const name of ['a', 'b']) t.strictSame(server.store.get(key(name)), server.current(name))
  }
  fc.assert(fc.property(fc.array(step, { maxLength: 40 }), run), { numRuns: 500 })
})
