import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { checkSubdomainName } from '../../../apiserver/validation/names.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import type { NewEvent } from '../kube/builtin-events.js'
import { ApiError } from '../kube/error.js'
import { labelKeyProblems } from '../kube/label-syntax.js'
import { silentLogger } from '../observe/logger.js'
import type { Client } from './client.js'
import { createEventRecorder } from './event-recorder.js'

const greeting = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name: 'greeting', uid: 'uid-1', resourceVersion: '7' },
}

interface SetUpOptions {
  /** The answer to the patch of a count; default success. */
  patch?: () => Promise<unknown>
}

function setUp({ patch = async () => ({}) }: SetUpOptions = {}) {
  const clock = new VirtualClock(new Date('2026-01-01T00:00:00Z'))
  const stop = new AbortController()
  const created: NewEvent[] = []
  const patched: { name: string; body: Pick<NewEvent, 'series'> }[] = []
  const client = {
    create: async (_resource: unknown, event: NewEvent) => created.push(event),
    patch: async (_resource: unknown, { name }: { name: string }, { body }: { body: object }) => {
      patched.push({ name, body })
      return patch()
    },
  } as unknown as Client
  const withComponent = (component: string) =>
    createEventRecorder({ client, component, clock, logger: silentLogger, stop: stop.signal })
  const recorder = withComponent('configmap-syncer')
  const later = async (ms: number) => {
    await clock.advance(ms)
    await settled()
  }
  return { recorder, withComponent, created, patched, later, stop }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

void t.test('an Event names the object, the reason, the message and the component', async (t) => {
  const { recorder, created } = setUp()
  recorder.warning(greeting, 'SyncError', 'the host said no')
  t.match(created, [
    {
      metadata: { namespace: 'default', name: /^greeting\.[0-9a-f]+$/ },
      regarding: {
        kind: 'ConfigMap',
        namespace: 'default',
        name: 'greeting',
        uid: 'uid-1',
        resourceVersion: '7',
      },
      type: 'Warning',
      reason: 'SyncError',
      note: 'the host said no',
      action: 'Reconcile',
      reportingController: 'configmap-syncer',
      reportingInstance: /^configmap-syncer-./,
      eventTime: '2026-01-01T00:00:00.000000Z',
      series: undefined,
    },
  ])
})

void t.test('whatever the object is called, each Event has a name of its own that is valid', async (t) => {
  const { recorder, created } = setUp()
  for (const name of ['a', 'a', `${'a'.repeat(63)}.`.repeat(3) + 'b'.repeat(61), 'system:node', 'x-', 'A']) {
    recorder.normal({ ...greeting, metadata: { ...greeting.metadata, name } }, 'Seen', `${created.length}`)
  }
  const names = created.map(({ metadata }) => metadata.name ?? '')
  t.equal(new Set(names).size, 6)
  for (const name of names) t.equal(checkSubdomainName(name), undefined, name)
  t.match(names, [
    /^a\.[0-9a-f]{15,}$/,
    /^a\./,
    /^[0-9a-f]{8}-/,
    /^[0-9a-f]{8}-/,
    /^[0-9a-f]{8}-/,
    /^[0-9a-f]{8}-/,
  ])
})

void t.test('an Event about a cluster-scoped object goes to the default namespace', async (t) => {
  const { recorder, created } = setUp()
  recorder.normal({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'u' } }, 'Seen', 'hello')
  t.match(created, [{ metadata: { namespace: 'default' }, type: 'Normal' }])
})

void t.test('an Event that repeats is a series, whose count is written every 30 s at most', async (t) => {
  const { recorder, created, patched, later } = setUp()
  const counts = () => patched.map(({ body }) => body.series?.count)
  recorder.warning(greeting, 'SyncError', 'again')
  await later(10_000)
  for (let i = 0; i < 2; i++) recorder.warning(greeting, 'SyncError', 'again')
  await later(19_999)
  t.same([created.length, counts()], [1, []])
  await later(1)
  t.same(counts(), [3], 'the last count is written although nothing follows')
  t.equal(patched[0]?.body.series?.lastObservedTime, '2026-01-01T00:00:10.000000Z', 'when it happened last')
  await later(30_000)
  recorder.warning(greeting, 'SyncError', 'again')
  await settled()
  t.same(counts(), [3, 4], 'at once, if the last write is 30 s ago')
  for (let i = 0; i < 100; i++) {
    recorder.warning(greeting, 'SyncError', 'again')
    await later(1000)
  }
  t.same(counts(), [3, 4, 34, 64, 94])
  t.equal(created.length, 1)
})

void t.test('after six minutes of silence a series is a new Event', async (t) => {
  const { recorder, created, patched, later } = setUp()
  recorder.warning(greeting, 'SyncError', 'again')
  for (let i = 0; i < 3; i++) {
    await later(359_999)
    recorder.warning(greeting, 'SyncError', 'again')
  }
  await settled()
  t.same([created.length, patched.length], [1, 3])
  await later(360_000)
  recorder.warning(greeting, 'SyncError', 'again')
  t.equal(created.length, 2)
  t.not(created[0]?.metadata.name, created[1]?.metadata.name)
})

void t.test('the counts of an Event are written one after the other', async (t) => {
  const answers: (() => void)[] = []
  const { recorder, patched, later } = setUp({
    patch: () => new Promise<void>((resolve) => answers.push(resolve)),
  })
  recorder.warning(greeting, 'SyncError', 'again')
  for (const _ of ['first count', 'second count']) {
    recorder.warning(greeting, 'SyncError', 'again')
    await later(30_000)
  }
  t.equal(patched.length, 1, 'the second one waits for the answer to the first')
  answers.shift()?.()
  await settled()
  t.same(
    patched.map(({ body }) => body.series?.count),
    [2, 3],
  )
})

void t.test(
  'another reason, type or action, and another object of the name, are Events of their own',
  async (t) => {
    const { recorder, created } = setUp()
    const related = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 's' } }
    recorder.warning(greeting, 'SyncError', 'again')
    recorder.warning(greeting, 'SyncError', 'again', { action: 'Creating', related })
    recorder.warning({ ...greeting, metadata: { ...greeting.metadata, uid: 'uid-2' } }, 'SyncError', 'again')
    recorder.warning(greeting, 'HostError', 'again')
    recorder.normal(greeting, 'SyncError', 'again')
    t.match(created, [
      {},
      { action: 'Creating', related: { kind: 'Secret', name: 's' } },
      {},
      { reason: 'HostError' },
      { type: 'Normal' },
    ])
    t.equal(created.length, 5)
  },
)

void t.test('a program that stops writes the counts at once, and waits for no timer', async (t) => {
  const { recorder, patched, later, stop } = setUp()
  for (let i = 0; i < 3; i++) recorder.warning(greeting, 'SyncError', 'again')
  stop.abort()
  await settled()
  t.same(
    patched.map(({ body }) => body.series?.count),
    [3],
  )
  recorder.warning(greeting, 'SyncError', 'again')
  await settled()
  t.same(
    patched.map(({ body }) => body.series?.count),
    [3, 4],
  )
  await later(60_000)
  t.equal(patched.length, 2, 'the timer of a count that is written is over')
})

void t.test('a program that stops writes no count twice', async (t) => {
  const { recorder, patched, later, stop } = setUp()
  for (let i = 0; i < 2; i++) recorder.warning(greeting, 'SyncError', 'again')
  await later(30_000)
  stop.abort()
  await settled()
  t.equal(patched.length, 1)
})

void t.test('a counted Event that the API server has forgotten is written again', async (t) => {
  const gone = async () => {
    throw new ApiError({ code: 404, reason: 'NotFound' })
  }
  const { recorder, created, later } = setUp({ patch: gone })
  recorder.warning(greeting, 'SyncError', 'again')
  recorder.warning(greeting, 'SyncError', 'again')
  await later(30_000)
  t.same(
    created.map(({ series }) => series?.count),
    [undefined, 2],
  )
})

void t.test('one object may cause 25 different Events, then one every five minutes', async (t) => {
  const { recorder, created, patched, later } = setUp()
  for (let i = 0; i < 40; i++) recorder.warning(greeting, 'SyncError', `failure ${i}`)
  t.equal(created.length, 25)
  recorder.warning(
    { ...greeting, metadata: { ...greeting.metadata, uid: 'uid-2' } },
    'SyncError',
    'another object',
  )
  t.equal(created.length, 26)
  recorder.warning(greeting, 'SyncError', 'failure 7')
  await later(300_000)
  t.equal(patched.length, 1, 'a repetition costs nothing of it')
  for (let i = 40; i < 45; i++) recorder.warning(greeting, 'SyncError', `failure ${i}`)
  t.equal(created.length, 27)
  await later(86_400_000)
  for (let i = 45; i < 85; i++) recorder.warning(greeting, 'SyncError', `failure ${i}`)
  t.equal(created.length, 27 + 25, 'a quiet day does not save up for more than a burst')
})

void t.test('the recorder remembers 4096 Events and objects, and forgets the oldest', async (t) => {
  const { recorder, created } = setUp()
  const object = (uid: string) => ({ ...greeting, metadata: { ...greeting.metadata, uid } })
  const isNew = (uid: string, message = 'again') => {
    const before = created.length
    recorder.warning(object(uid), 'SyncError', message)
    return created.length > before
  }
  const others = (count: number, of: string) => {
    for (let number = 0; number < count; number++)
      recorder.warning(object(`${of}-${number}`), 'SyncError', 'again')
  }
  isNew('first')
  isNew('second')
  for (let i = 0; i < 40; i++) isNew('noisy', `failure ${i}`)
  others(4000, 'a')
  t.notOk(isNew('first'), 'a repetition')
  t.notOk(isNew('noisy', 'failure 40'), 'its burst is used up')
  others(4000, 'b')
  t.notOk(isNew('first'), 'what repeats is not the oldest')
  t.ok(isNew('second'), 'it was forgotten')
  t.notOk(isNew('noisy', 'failure 41'), 'an object that goes on is remembered')
  others(5000, 'c')
  t.ok(isNew('noisy', 'failure 42'), 'it was forgotten, too')
})

void t.test('long messages take no more memory than the Events', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const usedMiB = () => {
    collect()
    return process.memoryUsage().heapUsed / 2 ** 20
  }
  const { recorder } = setUp()
  const before = usedMiB()
  for (let number = 0; number < 100; number++) {
    const metadata = { ...greeting.metadata, uid: `uid-${number}` }
    recorder.warning({ ...greeting, metadata }, 'SyncError', `${number} ${Buffer.alloc(2 ** 20, 'x')}`)
  }
  await settled()
  const grownMiB = usedMiB() - before
  t.ok(grownMiB < 20, `${grownMiB} MiB`)
  recorder.warning(greeting, 'SyncError', 'the recorder is still in use')
})

void t.test('a message is cut to what an Event may hold, and recording never throws', async (t) => {
  const { recorder, created } = setUp()
  recorder.warning(greeting, 'SyncError', 'x'.repeat(5000))
  t.equal(created[0]?.note?.length, 1024)
  const failing = createEventRecorder({
    client: { create: () => Promise.reject(new Error('down')) } as unknown as Client,
    component: 'c',
    clock: new VirtualClock(),
    logger: silentLogger,
  })
  failing.warning(greeting, 'SyncError', 'lost')
  await settled()
})

void t.test(
  'the name of a reporter is valid, however the program and its controller are called',
  async (t) => {
    const { created, withComponent } = setUp()
    for (const component of ['operator.backups', `${'a'.repeat(60)}..${'b'.repeat(120)}`, '-x y-'])
      withComponent(component).normal(greeting, 'Seen', 'hello')
    for (const { reportingController = '', reportingInstance = '' } of created) {
      t.same(labelKeyProblems(reportingController), [])
      t.ok(reportingInstance.length <= 128)
    }
    t.match(created, [{ reportingController: 'operator.backups' }, {}, { reportingController: 'x-y' }])
  },
)
