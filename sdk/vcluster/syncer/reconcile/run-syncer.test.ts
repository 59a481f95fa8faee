import { setMaxListeners } from 'node:events'
import { firstValueFrom, NEVER, Subject } from 'rxjs'
import t from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { CircuitOpenError } from '../../../engine/client/circuit-breaker.js'
import type { Client } from '../../../engine/client/client.js'
import type { Cluster } from '../../../engine/cluster/cluster.js'
import { NameConflictError } from '../../../engine/controller/name-conflict-error.js'
import { NameConflicts } from '../../../engine/controller/name-conflicts.js'
import type { RunEnd } from '../../../engine/controller/run-end.js'
import { type ConfigMap, configMaps } from '../../../engine/kube/builtin.js'
import { ApiError, PermanentError, PluginError } from '../../../engine/kube/error.js'
import { formatKey, type Key, keyOf } from '../../../engine/kube/key.js'
import { type LogFields, type Logger, silentLogger } from '../../../engine/observe/logger.js'
import { type Gauge, type MetricLabels, type Metrics, noMetrics } from '../../../engine/observe/metrics.js'
import type { Change } from '../../../engine/store/store.js'
import { StoreWriter } from '../../../engine/store/store-writer.js'
import { systemClock } from '../../../engine/time/clock.js'
import type { RegisterContext, Side } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import { hostName } from '../../naming/names.js'
import {
  markerLabel,
  nameAnnotation,
  namespaceAnnotation,
  uidAnnotation,
} from '../../naming/ownership-keys.js'
import { copyNameConflictError } from '../../ownership/copy-name-conflict.js'
import { OwnerGoneError } from '../../ownership/owner-gone-error.js'
import { claimedSource } from '../../ownership/ownership.js'
import type { Pair } from '../syncer.js'
import { Syncer } from '../syncer.js'
import { reconcile } from './reconcile.js'
import { type RunningSyncer, runSyncer } from './run-syncer.js'

const key: Key = { namespace: 'default', name: 'greeting' }
const hostKey: Key = { namespace: 'vc-host', name: 'greeting-x-default-x-vc' }

const virtualObject = (at: Key = key, uid = 'uid-1'): ConfigMap => ({
  metadata: { ...at, uid, resourceVersion: '5' },
})

const copyOf = (source: Key, uid?: string): ConfigMap => ({
  metadata: {
    namespace: 'vc-host',
    name: hostName(source.name, source.namespace, 'vc'),
    uid: 'host-uid',
    resourceVersion: '7',
    labels: { [markerLabel]: 'vc' },
    annotations: {
      [nameAnnotation]: source.name,
      [namespaceAnnotation]: source.namespace,
      ...(uid && { [uidAnnotation]: uid }),
    },
  },
})

const foreign: ConfigMap = { metadata: { ...hostKey, uid: 'foreign', resourceVersion: '3' } }

/** One side: a store that a test fills, and a client that writes down what it is asked to delete. */
class FakeCluster<Name extends Side> implements Cluster<Name> {
  readonly name: Name
  readonly deleted: string[] = []
  readonly #writer = new StoreWriter<ConfigMap>()
  readonly #store = this.#writer.store
  readonly #touched = new Subject<Change<ConfigMap>>()

  constructor(name: Name) {
    this.name = name
    for (const event of [{ type: 'listStarted' }, { type: 'listDone', resourceVersion: '1' }] as const) {
      this.#writer.apply(event)
    }
  }

  readonly client = {
    delete: async (_resource: unknown, at: Key, { uid }: { uid?: string } = {}) => {
      this.deleted.push(`${formatKey(at)} ${uid}`)
      const object = this.#store.get(at)
      if (object && !object.metadata.finalizers)
        this.#writer.noteDeleted({ key: at, uid: object.metadata.uid })
      return {}
    },
  } as unknown as Client

  store() {
    return this.#store as never
  }

  get(at: Key) {
    return this.#store.get(at)
  }

  get observed(): boolean {
    return this.#touched.observed
  }

  changes$() {
    return this.#touched as never
  }

  watch$() {
    return NEVER
  }

  async apiVersions() {
    return ['v1']
  }

  async version() {
    return 'v1.36.3'
  }

  async served() {
    return []
  }

  apply(type: 'applied' | 'deleted', object: ConfigMap): void {
    for (const touched of this.#writer.apply({ type, object })) this.#touched.next(touched)
  }
}

/** Writes down which method was called for which key; a test says what it does. */
class RecordingSyncer extends Syncer<ConfigMap> {
  readonly calls: string[] = []
  act: (call: string, ctx: SyncContext) => Promise<{ requeueAfterMs?: number } | undefined> = async () =>
    undefined

  constructor() {
    super('configmap', configMaps)
  }

  virtualToHost({ name, namespace }: Key): Key | undefined {
    return { namespace: 'vc-host', name: hostName(name, namespace, 'vc') }
  }

  hostToVirtual(host: ConfigMap): Key | undefined {
    return claimedSource(host)
  }

  isManaged(host: ConfigMap): boolean {
    return host.metadata.labels?.[markerLabel] === 'vc'
  }

  syncDown(ctx: SyncContext, virtual: ConfigMap) {
    return this.record('syncDown', ctx, keyOf(virtual))
  }

  sync(ctx: SyncContext, { virtual }: Pair<ConfigMap>) {
    return this.record('sync', ctx, keyOf(virtual))
  }

  record(method: string, ctx: SyncContext, at: Key) {
    const call = `${method} ${formatKey(at)}`
    this.calls.push(call)
    return this.act(call, ctx)
  }
}

class UpSyncer extends RecordingSyncer {
  override syncUp(ctx: SyncContext, host: ConfigMap) {
    return this.record('syncUp', ctx, keyOf(host))
  }
}

class NamelessSyncer extends RecordingSyncer {
  override virtualToHost() {
    return undefined
  }
}

class KeepingSyncer extends RecordingSyncer {
  override readonly updatesOnNewUid = true
}

function setUp(overrides: Partial<RegisterContext> = {}) {
  const virtual = new FakeCluster('virtual')
  const host = new FakeCluster('host')
  const logged: LogFields[] = []
  const logger: Logger = { ...silentLogger, error: (fields) => logged.push(fields), child: () => logger }
  const ctx: RegisterContext = {
    config: (schema) => schema.parse({}),
    pluginName: 'test',
    vclusterName: 'vc',
    targetNamespace: 'vc-host',
    currentNamespace: 'vc-host',
    labelMode: 'reserved',
    virtual,
    host,
    owner: () => undefined,
    logger,
    metrics: noMetrics,
    clock: systemClock,
    ...overrides,
  }
  const warnings: string[] = []
  const events = {
    warning: (object: ConfigMap, reason: string) => warnings.push(`${reason} ${formatKey(keyOf(object))}`),
    normal: () => {},
  }
  return { virtual, host, ctx, warnings, logged, events: events as never }
}

interface Existing {
  virtual?: ConfigMap
  host?: ConfigMap
}

function runOne(syncer: RecordingSyncer, existing: Existing, at: Key = key) {
  const { virtual, host, ctx, events } = setUp()
  if (existing.virtual) virtual.apply('applied', existing.virtual)
  if (existing.host) host.apply('applied', existing.host)
  const run = reconcile(syncer, { ...ctx, key: at, signal: new AbortController().signal, events })
  return { run, calls: syncer.calls, deleted: host.deleted }
}

void t.test('a run calls the one method that fits who exists now', async (t) => {
  const labelled = {
    ...virtualObject(),
    metadata: { ...virtualObject().metadata, labels: { 'vcluster.loft.sh/controlled-by': 'x' } },
  }
  const cases: [string, RecordingSyncer, Existing, string[], string[]][] = [
    ['virtual only', new RecordingSyncer(), { virtual: virtualObject() }, ['syncDown default/greeting'], []],
    [
      'both',
      new RecordingSyncer(),
      { virtual: virtualObject(), host: copyOf(key, 'uid-1') },
      ['sync default/greeting'],
      [],
    ],
    [
      'a copy of an old SDK, without a UID',
      new RecordingSyncer(),
      { virtual: virtualObject(), host: copyOf(key) },
      ['sync default/greeting'],
      [],
    ],
    [
      'host only',
      new RecordingSyncer(),
      { host: copyOf(key, 'uid-1') },
      [],
      [`${formatKey(hostKey)} host-uid`],
    ],
    ['host only, with syncUp', new UpSyncer(), { host: copyOf(key) }, [`syncUp ${formatKey(hostKey)}`], []],
    ['nobody', new RecordingSyncer(), {}, [], []],
    ['an object that may have no copy', new NamelessSyncer(), { virtual: virtualObject() }, [], []],
    ['a foreign object and no original', new RecordingSyncer(), { host: foreign }, [], []],
    ['handed to another controller', new RecordingSyncer(), { virtual: labelled }, [], []],
    [
      'a copy of an earlier incarnation',
      new RecordingSyncer(),
      { virtual: virtualObject(key, 'uid-2'), host: copyOf(key, 'uid-1') },
      ['syncDown default/greeting'],
      [`${formatKey(hostKey)} host-uid`],
    ],
    [
      'an earlier incarnation that is kept',
      new KeepingSyncer(),
      { virtual: virtualObject(key, 'uid-2'), host: copyOf(key, 'uid-1') },
      ['sync default/greeting'],
      [],
    ],
  ]
  for (const [title, syncer, existing, calls, deleted] of cases) {
    const result = runOne(syncer, existing)
    await result.run
    t.same(result.calls, calls, title)
    t.same(result.deleted, deleted, `${title}: deletes`)
  }
})

void t.test('a host object that is to be ignored for now is looked at again', async (t) => {
  const syncer = new RecordingSyncer()
  syncer.ignoreHostObject = () => true
  const { run, calls } = runOne(syncer, { virtual: virtualObject(), host: copyOf(key, 'uid-1') })
  t.same([await run, calls], [{ requeueAfterMs: 1000 }, []])
})

void t.test('a copy with finalizers is not created again before it has left', async (t) => {
  const copy = copyOf(key, 'uid-1')
  const held = { ...copy, metadata: { ...copy.metadata, finalizers: ['example.com/hold'] } }
  const { run, calls, deleted } = runOne(new RecordingSyncer(), {
    virtual: virtualObject(key, 'uid-2'),
    host: held,
  })
  await run
  t.same(calls, [])
  t.equal(deleted.length, 1)
})

void t.test('a copy that is being deleted is not deleted twice', async (t) => {
  const copy = copyOf(key, 'uid-1')
  const leaving = { ...copy, metadata: { ...copy.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
  const { run, deleted } = runOne(new RecordingSyncer(), { host: leaving })
  await run
  t.same(deleted, [])
})

void t.test('a foreign object under the name of a copy is reported and nothing is written', async (t) => {
  const { run, calls, deleted } = runOne(new RecordingSyncer(), { virtual: virtualObject(), host: foreign })
  await t.rejects(run, copyNameConflictError(configMaps, key, hostKey))
  t.same([calls, deleted], [[], []])
})

void t.test('the second source that comes to one host name is refused', async (t) => {
  const first = { name: 'a-x-b', namespace: 'c' }
  const second = { name: 'a', namespace: 'b-x-c' }
  t.equal(hostName(first.name, first.namespace, 'vc'), hostName(second.name, second.namespace, 'vc'))
  const { run } = runOne(
    new RecordingSyncer(),
    { virtual: virtualObject(second), host: copyOf(first, 'uid-1') },
    second,
  )
  await t.rejects(run, NameConflictError)
})

/** A syncer at work on fake clusters, and a way to wait until it rests. */
function atWork(
  syncer: RecordingSyncer,
  prepare: (parts: ReturnType<typeof setUp>) => void = () => {},
  overrides: Partial<RegisterContext> = {},
) {
  const parts = setUp(overrides)
  prepare(parts)
  const stop = new AbortController()
  const abort = new AbortController()
  const running = runSyncer(syncer, { ...parts, stop: stop.signal, abort: abort.signal, workers: 2 })
  const end = async () => {
    stop.abort()
    abort.abort()
    await running.ended
  }
  return { ...parts, running, stop, abort, end, rested: () => rested(running) }
}

async function rested(running: RunningSyncer): Promise<void> {
  for (let turns = 0; turns < 10; turns = running.isIdle() ? turns + 1 : 0)
    await new Promise((resolve) => setImmediate(resolve))
}

void t.test('objects in the stores at the start are reconciled', async (t) => {
  const syncer = new RecordingSyncer()
  const orphan = { namespace: 'default', name: 'orphan' }
  const { rested, host, end } = atWork(syncer, ({ virtual, host }) => {
    virtual.apply('applied', virtualObject())
    host.apply('applied', copyOf(orphan))
  })
  await rested()
  t.same(syncer.calls, ['syncDown default/greeting'])
  t.same(host.deleted, ['vc-host/orphan-x-default-x-vc host-uid'])
  await end()
})

void t.test('of what the stores hold at the start, what changed last is served first', async (t) => {
  const syncer = new RecordingSyncer()
  const changed = (object: ConfigMap, resourceVersion: string): ConfigMap => ({
    ...object,
    metadata: { ...object.metadata, resourceVersion },
  })
  const at = (name: string) => ({ namespace: 'default', name })
  const { rested, host, end } = atWork(syncer, ({ virtual, host }) => {
    for (const [name, version] of Object.entries({ old: '9', newest: '101', newer: '100' }))
      virtual.apply('applied', changed(virtualObject(at(name)), version))
    for (const [name, version] of Object.entries({ early: '20', late: '30' }))
      host.apply('applied', changed(copyOf(at(name)), version))
  })
  await rested()
  t.same(syncer.calls, ['syncDown default/newest', 'syncDown default/newer', 'syncDown default/old'])
  t.same(host.deleted, ['vc-host/late-x-default-x-vc host-uid', 'vc-host/early-x-default-x-vc host-uid'])
  await end()
})

void t.test('many keys are enqueued in slices, and runs begin meanwhile', async (t) => {
  let nowMs = 0
  // Each call of `now` takes a millisecond.
  const clock = { ...systemClock, now: () => nowMs++ }
  const syncer = new RecordingSyncer()
  const many = (virtual: FakeCluster<'virtual'>) => {
    for (let index = 0; index < 100; index++)
      virtual.apply('applied', virtualObject({ namespace: 'default', name: `${index}` }))
  }
  const { running, end } = atWork(syncer, ({ virtual }) => many(virtual), { clock })
  t.ok(running.load().isResyncing)
  while (syncer.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
  t.ok(running.load().isResyncing, 'the first run does not wait for the last key')
  await rested(running)
  t.equal(syncer.calls.length, 100)
  t.notOk(running.load().isResyncing)
  await end()
})

void t.test('changes of either cluster enqueue the key of the original', async (t) => {
  const syncer = new RecordingSyncer()
  const { virtual, host, rested, end } = atWork(syncer)
  virtual.apply('applied', virtualObject())
  await rested()
  host.apply('applied', copyOf(key, 'uid-1'))
  await rested()
  host.apply('deleted', copyOf(key, 'uid-1'))
  await rested()
  t.same(syncer.calls, ['syncDown default/greeting', 'sync default/greeting', 'syncDown default/greeting'])
  await end()
})

void t.test('a copy whose ownership labels were edited away still enqueues its original', async (t) => {
  const syncer = new RecordingSyncer()
  const { host, rested, end, warnings } = atWork(syncer, ({ virtual, host }) => {
    virtual.apply('applied', virtualObject())
    host.apply('applied', copyOf(key, 'uid-1'))
  })
  await rested()
  const unmarked = copyOf(key, 'uid-1')
  host.apply('applied', { ...unmarked, metadata: { ...unmarked.metadata, resourceVersion: '8', labels: {} } })
  await rested()
  t.same(warnings, ['NameConflict default/greeting'])
  await end()
})

void t.test(
  'a name conflict is reported once, and the key wakes when the foreign object leaves',
  async (t) => {
    const syncer = new RecordingSyncer()
    const { virtual, host, rested, end, warnings } = atWork(syncer, ({ virtual, host }) => {
      virtual.apply('applied', virtualObject())
      host.apply('applied', foreign)
    })
    await rested()
    virtual.apply('applied', { metadata: { ...virtualObject().metadata, resourceVersion: '6' } })
    await rested()
    t.same([syncer.calls, warnings], [[], ['NameConflict default/greeting']])
    host.apply('deleted', foreign)
    await rested()
    t.same(syncer.calls, ['syncDown default/greeting'])
    await end()
  },
)

void t.test('a failing key is retried and its neighbours do not wait with it', async (t) => {
  const syncer = new RecordingSyncer()
  const recovered = new Promise<void>((resolve) => {
    let failures = 0
    syncer.act = async (call) => {
      if (call.endsWith('poison') && ++failures <= 3) throw new Error('not yet')
      if (call.endsWith('poison')) resolve()
      return undefined
    }
  })
  const neighbours = Array.from({ length: 20 }, (_, i) =>
    virtualObject({ namespace: 'default', name: `n${i}` }),
  )
  const { virtual, end } = atWork(syncer)
  virtual.apply('applied', virtualObject({ namespace: 'default', name: 'poison' }))
  for (const neighbour of neighbours) virtual.apply('applied', neighbour)
  await recovered
  t.equal(syncer.calls.filter((call) => call.endsWith('poison')).length, 4)
  t.equal(new Set(syncer.calls).size, 21)
  t.ok(syncer.calls.lastIndexOf('syncDown default/n19') < syncer.calls.lastIndexOf('syncDown default/poison'))
  await end()
})

void t.test('a permanent error is reported and waits for a change', async (t) => {
  const syncer = new RecordingSyncer()
  syncer.act = async () => {
    throw new PermanentError('it will never fit')
  }
  const { virtual, rested, end, warnings } = atWork(syncer, ({ virtual }) =>
    virtual.apply('applied', virtualObject()),
  )
  await rested()
  t.same([syncer.calls.length, warnings], [1, ['SyncError default/greeting']])
  virtual.apply('applied', { metadata: { ...virtualObject().metadata, resourceVersion: '6' } })
  await rested()
  t.equal(syncer.calls.length, 2)
  await end()
})

void t.test('a mapping that throws does not end the stream', async (t) => {
  const syncer = new RecordingSyncer()
  const { virtual, host, rested, end } = atWork(syncer)
  syncer.hostToVirtual = () => {
    throw new Error('broken mapping')
  }
  host.apply('applied', copyOf(key))
  virtual.apply('applied', virtualObject({ namespace: 'default', name: 'other' }))
  await rested()
  t.same(syncer.calls, ['syncDown default/other'])
  await end()
})

void t.test('reconcileStart may skip a run, and reconcileEnd follows every run', async (t) => {
  const syncer = new RecordingSyncer()
  const order: string[] = []
  syncer.reconcileStart = async (ctx) => {
    order.push(`start ${ctx.key.name}`)
    return ctx.key.name === 'skipped'
  }
  syncer.reconcileEnd = async (ctx) => {
    order.push(`end ${ctx.key.name}`)
  }
  const { virtual, rested, end } = atWork(syncer)
  virtual.apply('applied', virtualObject({ namespace: 'default', name: 'skipped' }))
  await rested()
  virtual.apply('applied', virtualObject())
  await rested()
  t.same(order, ['start skipped', 'end skipped', 'start greeting', 'end greeting'])
  t.same(syncer.calls, ['syncDown default/greeting'])
  await end()
})

void t.test('a reconcileEnd that throws is logged and changes nothing', async (t) => {
  const syncer = new RecordingSyncer()
  syncer.reconcileEnd = async () => {
    throw new Error('no end')
  }
  const { rested, end, warnings, logged } = atWork(syncer, ({ virtual, host }) => {
    virtual.apply('applied', virtualObject())
    host.apply('applied', foreign)
    virtual.apply('applied', virtualObject({ namespace: 'default', name: 'other' }))
  })
  await rested()
  t.same(warnings, ['NameConflict default/greeting'], 'the failure of the run itself is what counts')
  t.same(syncer.calls, ['syncDown default/other'])
  t.match(logged, [{ error: { message: 'no end' } }, { error: { message: 'no end' } }])
  await end()
})

void t.test('a delay that is none is a failure that quotes it, not a hot loop', async (t) => {
  const bad: unknown[] = [Number.NaN, -1, Number.POSITIVE_INFINITY, '5', null]
  const syncer = new RecordingSyncer()
  syncer.act = async () => {
    const requeueAfterMs = bad[syncer.calls.length - 1]
    return requeueAfterMs === undefined ? undefined : { requeueAfterMs: requeueAfterMs as number }
  }
  const { rested, end, logged } = atWork(syncer, ({ virtual }) => virtual.apply('applied', virtualObject()))
  await rested()
  t.equal(syncer.calls.length, bad.length + 1)
  const messages = logged.map(({ error }) => (error instanceof Error ? error.message : ''))
  t.match(
    messages,
    ['NaN', '-1', 'Infinity', 'a string', 'null'].map(
      (told) => new RegExp(`returned an object whose requeueAfterMs is ${told}; return `),
    ),
  )
  await end()
})

void t.test(
  'a run that asks to come back at once is delayed more and more, until it stops asking',
  async (t) => {
    const clock = new VirtualClock()
    const syncer = new RecordingSyncer()
    let isRestless = true
    syncer.act = async () => (isRestless ? { requeueAfterMs: 0 } : undefined)
    const { virtual, end } = atWork(syncer, undefined, { clock })
    virtual.apply('applied', virtualObject())
    await clock.advance(60_000)
    t.ok(syncer.calls.length > 5 && syncer.calls.length < 40, `${syncer.calls.length} runs in a minute`)
    isRestless = false
    await clock.advance(1_000_000)
    isRestless = true
    const before = syncer.calls.length
    virtual.apply('applied', { ...virtualObject(), data: { a: 'changed' } })
    await clock.advance(1000)
    t.ok(syncer.calls.length > before + 3, 'a run that rests ends the row')
    await end()
  },
)

void t.test(
  'an answer that asks for nothing known is a failure that names it, and never quotes it',
  async (t) => {
    const answers: [answer: unknown, told: RegExp][] = [
      [42, /^syncDown of syncer configmap returned a number; return \{ requeueAfterMs: 5000 \} .* changes$/],
      ['pass word', /returned a string;/],
      [false, /returned a boolean;/],
      [[1], /returned a list;/],
      [{ requeueAfter: 5000 }, /returned an object with requeueAfter;/],
      [{ requeueAfterMs: '5000' }, /returned an object whose requeueAfterMs is a string;/],
    ]
    for (const [answer, told] of answers) {
      const syncer = new RecordingSyncer()
      syncer.act = async () => answer as undefined
      const failure = await runOne(syncer, { virtual: virtualObject() }).run.catch((error) => error)
      t.match(failure, { code: 'INVALID_RESULT', message: told })
      t.notMatch(failure.message, /pass word/)
    }
    const syncer = new RecordingSyncer()
    for (const answer of [undefined, null, {}, { requeueAfterMs: undefined }, { requeueAfterMs: 5 }]) {
      syncer.act = async () => answer as undefined
      await t.resolves(runOne(syncer, { virtual: virtualObject() }).run)
    }
  },
)

void t.test('objects passed to syncers are frozen', async (t) => {
  const syncer = new RecordingSyncer()
  syncer.sync = async (_ctx, { virtual, host }) => {
    t.ok(Object.isFrozen(virtual.metadata) && Object.isFrozen(host.metadata.annotations))
  }
  syncer.syncDown = async (_ctx, virtual) => {
    Object.assign(virtual.metadata, { labels: { mine: 'yes' } })
  }
  await runOne(syncer, { virtual: virtualObject(), host: copyOf(key, 'uid-1') }).run
  const { virtual, rested, end, logged } = atWork(syncer, ({ virtual }) =>
    virtual.apply('applied', virtualObject()),
  )
  for (let turns = 0; logged.length === 0 && turns < 100; turns++)
    await new Promise((resolve) => setImmediate(resolve))
  t.match(logged, [{ error: TypeError }])
  t.same(virtual.get(key)?.metadata.labels, undefined)
  virtual.apply('deleted', virtualObject())
  await rested()
  await end()
})

void t.test('a foreign object that comes back is reported again', async (t) => {
  const { virtual, host, rested, end, warnings } = atWork(new RecordingSyncer())
  for (const name of ['first', 'second']) {
    host.apply('applied', { metadata: { ...foreign.metadata, uid: name } })
    virtual.apply('applied', virtualObject())
    await rested()
    host.apply('deleted', { metadata: { ...foreign.metadata, uid: name } })
    await rested()
  }
  t.same(warnings, ['NameConflict default/greeting', 'NameConflict default/greeting'])
  await end()
})

void t.test('a foreign object that comes back after another failure is reported again', async (t) => {
  const clock = new VirtualClock()
  const syncer = new RecordingSyncer()
  syncer.act = async () => {
    throw new Error('temporary')
  }
  const { virtual, host, end, warnings } = atWork(syncer, undefined, { clock })
  for (const type of ['applied', 'deleted', 'applied'] as const) {
    host.apply(type, foreign)
    virtual.apply('applied', virtualObject())
    await clock.advance(0)
  }
  t.same(warnings, ['NameConflict default/greeting', 'NameConflict default/greeting'])
  await end()
})

void t.test('a refused key looks again by itself every minute', async (t) => {
  const clock = new VirtualClock()
  const syncer = new RecordingSyncer()
  let runs = 0
  syncer.reconcileStart = async () => {
    runs++
    return false
  }
  const { end } = atWork(
    syncer,
    ({ virtual, host }) => {
      virtual.apply('applied', virtualObject())
      host.apply('applied', foreign)
    },
    { clock },
  )
  await clock.advance(59_999)
  t.equal(runs, 1)
  await clock.advance(60_001)
  t.equal(runs, 3)
  await end()
})

void t.test('a key waits for one foreign object at a time', async (t) => {
  const conflicts = new NameConflicts()
  const [first, second] = [hostKey, { ...hostKey, name: 'second' }]
  t.same(
    [conflicts.add(first, key), conflicts.add(first, key), conflicts.add(second, key)],
    [true, false, true],
  )
  t.same([conflicts.waitingFor(first), conflicts.waitingFor(second)], [[], [key]])
  conflicts.clear(key)
  t.same(conflicts.waitingFor(second), [])
})

void t.test('a conflict is tried again without an alarm', async (t) => {
  const syncer = new RecordingSyncer()
  syncer.act = async () => {
    if (syncer.calls.length === 1) throw new ApiError({ code: 409, reason: 'Conflict' })
    return undefined
  }
  const { rested, end, logged } = atWork(syncer, ({ virtual }) => virtual.apply('applied', virtualObject()))
  await rested()
  t.same([syncer.calls.length, logged], [2, []])
  await end()
})

void t.test('a host object that only claims a source enqueues nothing', async (t) => {
  const syncer = new RecordingSyncer()
  syncer.reconcileStart = async ({ key }) => t.fail(`${formatKey(key)} was enqueued`)
  const { host, rested, end } = atWork(syncer)
  const { metadata } = copyOf(key)
  host.apply('applied', { metadata: { ...metadata, labels: {} } })
  await rested()
  await end()
})

void t.test('a row of failures ends with an answer, a refusal or a permanent error', async (t) => {
  const { random } = Math
  t.teardown(() => Object.assign(Math, { random }))
  Math.random = () => 0.5
  const clock = new VirtualClock()
  const syncer = new RecordingSyncer()
  let next: Error | undefined = new Error('temporary')
  syncer.act = async () => {
    if (next) throw next
    return undefined
  }
  const { virtual, host, end, logged } = atWork(syncer, undefined, { clock })
  const trigger = async (error: Error | undefined) => {
    next = error
    virtual.apply('applied', virtualObject())
    await clock.advance(0)
  }
  const fail = () => trigger(new Error('temporary'))
  await fail()
  await fail()
  await trigger(undefined)
  await fail()
  await trigger(new PermanentError('never'))
  await fail()
  host.apply('applied', foreign)
  await fail()
  host.apply('deleted', foreign)
  await clock.advance(0)
  t.same(
    logged.map(({ retryInMs }) => retryInMs),
    [3, 5, 3, 3, 3],
  )
  await end()
})

void t.test('a key runs again after the requested delay', async (t) => {
  const clock = new VirtualClock()
  const syncer = new RecordingSyncer()
  syncer.act = async () => ({ requeueAfterMs: 5000 })
  const { virtual, running, end } = atWork(syncer, undefined, { clock })
  virtual.apply('applied', virtualObject())
  t.equal(running.isIdle(), false, 'a key is on its way')
  await clock.advance(3999)
  t.same([syncer.calls.length, running.isIdle()], [1, true])
  await clock.advance(501)
  t.equal(running.isIdle(), false, 'what is due within a second is work under way')
  await clock.advance(500)
  t.equal(syncer.calls.length, 2)
  await end()
  t.equal(clock.pending, 0)
})

void t.test('a copy that cannot be synced up is reported, even without an object for an Event', async (t) => {
  const syncer = new UpSyncer()
  syncer.act = async () => {
    throw new PermanentError('it will never fit')
  }
  const { rested, end, warnings } = atWork(syncer, ({ host }) => host.apply('applied', copyOf(key)))
  await rested()
  t.same([syncer.calls.length, warnings], [1, []])
  await end()
})

void t.test('how runs end is counted and measured, and each run logs under its name', async (t) => {
  const seen: string[] = []
  const note = (name: string) => (labels: MetricLabels) =>
    seen.push(`${name} ${Object.values(labels).join(' ')}`)
  const metrics: Metrics = {
    ...noMetrics,
    counter: ({ name }) => ({ add: (labels = {}) => note(name)(labels) }),
    histogram: ({ name }) => ({ observe: note(name) }),
  }
  const children: LogFields[] = []
  const said: string[] = []
  const child: Logger = { ...silentLogger, info: (_fields, message) => said.push(message) }
  const logger: Logger = {
    ...silentLogger,
    child: (fields) => {
      children.push(fields)
      return child
    },
  }
  const syncer = new RecordingSyncer()
  const ends = [new Error('temporary'), undefined, new PermanentError('never'), 60_000]
  syncer.act = async (_call, ctx) => {
    ctx.logger.info({}, 'a run')
    const end = ends.shift()
    if (end instanceof Error) throw end
    return end === undefined ? undefined : { requeueAfterMs: end }
  }
  const { virtual, host, rested, end } = atWork(syncer, undefined, { metrics, logger })
  for (let change = 0; change < 3; change++) {
    virtual.apply('applied', virtualObject())
    await rested()
  }
  host.apply('applied', foreign)
  virtual.apply('applied', virtualObject())
  await rested()
  await end()
  const total = 'controller_runtime_reconcile_total configmap '
  const results = seen.flatMap((line) => (line.startsWith(total) ? line.slice(total.length) : []))
  t.same(results.slice(0, 5), ['error', 'success', 'terminal_error', 'requeue_after', 'name_conflict'])
  const times = (name: string) => seen.filter((line) => line === `${name} configmap`).length
  t.equal(times('controller_runtime_reconcile_errors_total'), 2)
  t.equal(times('controller_runtime_terminal_reconcile_errors_total'), 1)
  t.ok(seen.includes('sync_name_conflicts_total configmap'))
  t.ok(seen.includes('workqueue_adds_total configmap'))
  const timed = seen.filter((line) => line === 'controller_runtime_reconcile_time_seconds configmap')
  t.equal(timed.length, results.length)
  t.same(said, ['a run', 'a run', 'a run', 'a run'], 'a run that meets a foreign object comes to no syncer')
  t.same(children[0], { controller: 'configmap', key: 'default/greeting' })
})

void t.test(
  'so many keys are served at a time, as many as calls have connections by default, of one namespace fewer',
  async (t) => {
    for (const [options, namespaces, expected] of [
      [{ workers: 3 }, 40, 3],
      [{}, 40, 32],
      [{}, 1, 24],
    ] as const) {
      const syncer = new RecordingSyncer()
      let finish = () => {}
      const held = new Promise<undefined>((resolve) => {
        finish = () => resolve(undefined)
      })
      syncer.act = () => held
      const { ctx, events, virtual } = setUp()
      for (let i = 0; i < 40; i++)
        virtual.apply('applied', virtualObject({ namespace: `ns-${i % namespaces}`, name: `n${i}` }))
      const stop = new AbortController()
      setMaxListeners(0, stop.signal)
      const running = runSyncer(syncer, { ctx, events, stop: stop.signal, abort: stop.signal, ...options })
      await new Promise((resolve) => setImmediate(resolve))
      t.equal(syncer.calls.length, expected)
      stop.abort()
      finish()
      await running.ended
    }
  },
)

void t.test('`onRunEnd` gets the result of each run, and `stateOf` the state of its key', async (t) => {
  const clock = new VirtualClock()
  const syncer = new RecordingSyncer()
  const ends: RunEnd[] = []
  const parts = setUp({ clock })
  const stop = new AbortController()
  const running = runSyncer(syncer, {
    ...parts,
    stop: stop.signal,
    abort: stop.signal,
    onRunEnd: (end) => ends.push(end),
  })
  const trigger = async (act: RecordingSyncer['act']) => {
    syncer.act = act
    parts.virtual.apply('applied', virtualObject())
    await clock.advance(0)
    return ends.at(-1)
  }
  t.match(await trigger(async () => undefined), { key, result: 'success', lagMs: 0, durationMs: 0 })
  t.match(running.stateOf(key), { isWaiting: false, isRunning: false, failures: 0, isQuarantined: false })
  t.match(await trigger(async () => ({ requeueAfterMs: 5000 })), { result: 'requeue_after', nextInMs: 5000 })
  t.equal(running.stateOf(key).dueInMs, 5000)
  const error = new PermanentError('it will never fit')
  t.strictSame(await trigger(() => Promise.reject(error)), {
    key,
    durationMs: 0,
    result: 'terminal_error',
    error,
  })
  parts.host.apply('applied', foreign)
  const refused = await trigger(async () => undefined)
  t.match(refused, { result: 'name_conflict', error: NameConflictError, nextInMs: 60_000 })
  t.equal(running.stateOf(key).conflictsWith, formatKey(hostKey))
  parts.host.apply('deleted', foreign)
  await trigger(() => Promise.reject(new ApiError({ code: 422, reason: 'Invalid' })))
  t.match(ends.at(-1), { result: 'error', error: ApiError, nextInMs: Number })
  t.match(running.stateOf(key), { failures: Number, conflictsWith: undefined, isQuarantined: false })
  await clock.advance(minuteMs)
  t.match(running.stateOf(key), { isQuarantined: true })
  t.same(running.load(), {
    waiting: 0,
    background: 0,
    running: 0,
    delayed: 1,
    workers: 32,
    isResyncing: false,
  })
  t.same([...running.knownKeys()], [key])
  stop.abort()
  await running.ended
})

void t.test('a run that fails because it was aborted is not reported as a failure', async (t) => {
  const syncer = new RecordingSyncer()
  syncer.act = (_call, { signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
  const { end, logged, warnings } = atWork(syncer, ({ virtual }) => virtual.apply('applied', virtualObject()))
  await new Promise((resolve) => setImmediate(resolve))
  await end()
  t.same([syncer.calls.length, logged, warnings], [1, [], []])
})

void t.test('after a stop no key is taken and the run under way may finish', async (t) => {
  const syncer = new RecordingSyncer()
  let finish = () => {}
  let isAborted = () => true
  syncer.act = (_call, { signal }) =>
    new Promise((resolve) => {
      isAborted = () => signal.aborted
      finish = () => resolve(undefined)
    })
  const { virtual, host, stop, running } = atWork(syncer, ({ virtual }) =>
    virtual.apply('applied', virtualObject()),
  )
  await new Promise((resolve) => setImmediate(resolve))
  stop.abort()
  virtual.apply('applied', virtualObject({ namespace: 'default', name: 'late' }))
  t.same([running.isIdle(), isAborted(), virtual.observed, host.observed], [false, false, false, false])
  finish()
  await running.ended
  t.same(syncer.calls, ['syncDown default/greeting'])
})

/** Fails every run until `mend` is called, on a virtual clock. */
function failing(error: () => unknown, overrides: Partial<RegisterContext> = {}) {
  const clock = new VirtualClock()
  const syncer = new RecordingSyncer()
  let isMended = false
  syncer.act = async () => {
    if (!isMended) throw error()
    return undefined
  }
  const parts = atWork(syncer, ({ virtual }) => virtual.apply('applied', virtualObject()), {
    clock,
    ...overrides,
  })
  const mend = () => {
    isMended = true
  }
  return { clock, syncer, mend, ...parts }
}

const minuteMs = 60_000

void t.test('an object that always fails costs a run a minute at most, whatever enqueues it', async (t) => {
  let quarantined = 0
  let follow = () => {}
  const gauge: Gauge = {
    set: (_labels, value) => {
      quarantined = value
    },
  }
  const metrics: Metrics = {
    ...noMetrics,
    gauge: (options) => {
      if (options.name === 'sync_quarantined_objects') follow = () => options.follow?.(gauge)
      return gauge
    },
  }
  const held = () => {
    follow()
    return quarantined
  }
  const { clock, syncer, mend, virtual, warnings, end } = failing(() => new TypeError('no such field'), {
    metrics,
  })
  t.equal(held(), 0)
  await clock.advance(minuteMs)
  t.same([warnings, held()], [['Quarantined default/greeting'], 1])
  const before = syncer.calls.length
  t.ok(before <= 11, `${before} runs until then`)
  for (let second = 0; second < 600; second++) {
    virtual.apply('applied', virtualObject())
    await clock.advance(1000)
  }
  const perMinute = (syncer.calls.length - before) / 10
  t.ok(perMinute > 0.3 && perMinute <= 1, `${perMinute} runs a minute`)
  mend()
  await clock.advance(20 * minuteMs)
  const served = syncer.calls.length
  t.same([held(), warnings.length], [0, 1], 'it leaves with its first success')
  virtual.apply('applied', virtualObject())
  await clock.advance(0)
  t.equal(syncer.calls.length, served + 1, 'and is served at once from then on')
  await end()
  t.equal(clock.pending, 0)
})

void t.test('the deletion of an object in quarantine is served at once, and once', async (t) => {
  const { clock, syncer, virtual, end } = failing(() => new TypeError('no such field'))
  while (syncer.calls.length < 10) await clock.advance(100)
  const runsAfter = async (change: () => void) => {
    const before = syncer.calls.length
    change()
    await clock.advance(1000)
    return syncer.calls.length - before
  }
  const { metadata } = virtualObject()
  const deleted = { metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
  t.equal(await runsAfter(() => virtual.apply('applied', virtualObject())), 0, 'a change waits')
  t.equal(await runsAfter(() => virtual.apply('applied', deleted)), 1, 'the deletion does not')
  t.equal(await runsAfter(() => virtual.apply('applied', deleted)), 0, 'what follows it waits again')
  await end()
})

void t.test('so is one that comes while the object fails once more', async (t) => {
  const deleted = { metadata: { ...virtualObject().metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
  const { clock, syncer, virtual, end } = failing(() => {
    if (syncer.calls.length === 10) virtual.apply('applied', deleted)
    return new TypeError('no such field')
  })
  while (syncer.calls.length < 10) await clock.advance(100)
  await clock.advance(1000)
  t.equal(syncer.calls.length, 11)
  await end()
})

void t.test('an error that its object did not cause puts no key in quarantine', async (t) => {
  const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  const faults: [unknown, boolean][] = [
    [new ApiError({ code: 409, reason: 'Conflict' }), false],
    [new ApiError({ code: 503 }), false],
    [new Error('GET /api at host', { cause: reset }), false],
    [new DOMException('late', 'TimeoutError'), false],
    [new PluginError('NOT_LEADER', 'not the leader'), false],
    [new CircuitOpenError('open', { retryInMs: 1000 }), false],
    [new OwnerGoneError(), false],
    [new ApiError({ code: 422, reason: 'Invalid' }), true],
    [new PluginError('NOT_A_COPY', 'no copy'), true],
    ['a text', true],
  ]
  for (const [error, isHeld] of faults) {
    const { clock, warnings, end } = failing(() => error)
    await clock.advance(5 * minuteMs)
    t.equal(warnings.includes('Quarantined default/greeting'), isHeld, String(error))
    await end()
  }
})

void t.test('after an outage of hours every key runs within a minute', async (t) => {
  const { clock, syncer, mend, end } = failing(() => new ApiError({ code: 503 }))
  await clock.advance(180 * minuteMs)
  mend()
  const before = syncer.calls.length
  await clock.advance(minuteMs)
  t.equal(syncer.calls.length, before + 1)
  await end()
})

void t.test('a run that takes too long is aborted and tried again', async (t) => {
  const clock = new VirtualClock()
  const syncer = new RecordingSyncer()
  syncer.act = (_call, { signal }) =>
    syncer.calls.length > 1
      ? Promise.resolve(undefined)
      : new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))))
  const { logged, end } = atWork(syncer, ({ virtual }) => virtual.apply('applied', virtualObject()), {
    clock,
  })
  await clock.advance(syncer.runLimitMs - 1)
  t.same(logged, [])
  await clock.advance(1000)
  t.match(logged, [{ error: { name: 'RunTimeoutError', message: /longer than 300 s/ } }])
  t.equal(syncer.calls.length, 2)
  await end()
  t.equal(clock.pending, 0)
})

void t.test('a run that heeds no signal keeps its key, and no worker', async (t) => {
  const clock = new VirtualClock()
  const syncer = new RecordingSyncer()
  const finish: (() => void)[] = []
  syncer.act = () => new Promise((resolve) => finish.push(() => resolve(undefined)))
  const named = (name: string) => virtualObject({ namespace: 'default', name })
  const { virtual, end } = atWork(
    syncer,
    ({ virtual }) => {
      for (const name of ['a', 'b', 'c']) virtual.apply('applied', named(name))
    },
    { clock },
  )
  await clock.advance(syncer.runLimitMs)
  t.equal(syncer.calls.length, 2, 'both workers are busy')
  await clock.advance(2000)
  virtual.apply('applied', named('a'))
  await clock.advance(2000)
  t.same(syncer.calls, ['syncDown default/a', 'syncDown default/b', 'syncDown default/c'])
  finish[0]?.()
  await clock.advance(0)
  t.equal(syncer.calls[3], 'syncDown default/a', 'its key comes back when the run has ended')
  for (const one of finish) one()
  await end()
})

void t.test('metrics have the number of running keys, and the limit', async (t) => {
  const values = new Map<string, () => number>()
  const metrics: Metrics = {
    ...noMetrics,
    gauge: ({ name, follow }) => {
      const read = () => {
        let shown = Number.NaN
        follow?.({
          set: (_labels, value) => {
            shown = value
          },
        })
        return shown
      }
      values.set(name.replace('controller_runtime_', ''), read)
      return { set: () => {} }
    },
  }
  const syncer = new RecordingSyncer()
  const goOn = new Subject<undefined>()
  syncer.act = () => firstValueFrom(goOn)
  const { virtual, rested, end } = atWork(syncer, undefined, { metrics })
  const told = () => ['active_workers', 'max_concurrent_reconciles'].map((name) => values.get(name)?.())
  t.same(told(), [0, 2])
  virtual.apply('applied', virtualObject())
  while (!goOn.observed) await new Promise((resolve) => setImmediate(resolve))
  t.same(told(), [1, 2])
  goOn.next(undefined)
  await rested()
  t.same(told(), [0, 2])
  await end()
})

void t.test('the lag is from a change to the success of a run that saw it', async (t) => {
  const clock = new VirtualClock()
  const lags: number[] = []
  const metrics: Metrics = {
    ...noMetrics,
    histogram: ({ name }) => ({
      observe: (_labels, value) => void (name === 'sync_lag_seconds' && lags.push(Math.round(value))),
    }),
  }
  const syncer = new RecordingSyncer()
  const ends: (() => void)[] = []
  syncer.act = () =>
    new Promise((resolve, reject) =>
      ends.push(
        () => resolve(undefined),
        () => reject(new Error('no')),
      ),
    )
  const { virtual, end } = atWork(syncer, undefined, { clock, metrics })
  const change = () => virtual.apply('applied', virtualObject())
  change()
  await clock.advance(1000)
  change()
  await clock.advance(1000)
  ends[0]?.()
  await clock.advance(2000)
  ends[3]?.()
  await clock.advance(5000)
  t.same(lags, [2], 'the second change came while the first run was under way, and its own run failed')
  ends[4]?.()
  await clock.advance(0)
  t.same(lags, [2, 8])
  await end()
})
