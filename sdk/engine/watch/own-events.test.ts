import t, { type Test } from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { type ConfigMap, configMaps } from '../kube/builtin.js'
import { stringifyJson } from '../kube/json.js'
import type { ObjectMeta } from '../kube/object.js'
import type { Transport } from '../transport/transport.js'
import type { WatchEvent } from './event.js'
import type { OwnEvents, PendingEvent } from './own-events.js'
import type { RestoreDetector } from './restore-detector.js'
import { watchResource } from './watch-resource.js'
import type { WatchResourceOptions } from './watch-resource-options.js'

const metadata = (name: string, resourceVersion: number) => ({
  name,
  namespace: 'default',
  uid: `${name}1`,
  resourceVersion: `${resourceVersion}`,
})
const line = (type: string, name: string, resourceVersion: number) =>
  stringifyJson({
    type,
    object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: metadata(name, resourceVersion), data: {} },
  })

/** An API server that lists nothing, and whose watch says the lines it is given. */
class ScriptedServer implements Transport {
  readonly watches: string[] = []
  lists = 0
  #say: (text: string | undefined) => void = () => {}

  async request() {
    this.lists++
    const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '10' }, items: [] }
    return { status: 200, headers: {}, body: Buffer.from(stringifyJson(list)) }
  }

  async stream({ path, signal }: Parameters<Transport['stream']>[0]) {
    this.watches.push(/resourceVersion=(\d+)/.exec(path)?.[1] ?? '')
    const texts: (string | undefined)[] = []
    let wake = () => {}
    this.#say = (text) => {
      texts.push(text)
      wake()
    }
    async function* chunks() {
      for (;;) {
        while (texts.length > 0) {
          const text = texts.shift()
          if (text === undefined) return
          yield Buffer.from(`${text}\n`)
        }
        signal?.throwIfAborted()
        await new Promise<void>((resolve) => {
          wake = resolve
          signal?.addEventListener('abort', () => resolve(), { once: true })
        })
      }
    }
    return { status: 200, headers: {}, chunks: chunks() }
  }

  async close() {}

  /** Says lines, and lets them be read. */
  async say(...texts: string[]): Promise<void> {
    for (const text of texts) this.#say(text)
    await turns()
  }

  async end(): Promise<void> {
    this.#say(undefined)
    await turns()
  }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Takes every event. */
class Taking implements OwnEvents {
  areExpected = true
  released = 0
  takes = true
  readonly taken: PendingEvent[] = []

  take(event: PendingEvent): boolean {
    if (this.takes) this.taken.push(event)
    return this.takes
  }

  release(): void {
    this.released++
  }
}

async function watching(t: Test, options: Partial<WatchResourceOptions<ConfigMap>> = {}) {
  const [server, ownEvents, clock] = [new ScriptedServer(), new Taking(), new VirtualClock()]
  const events: WatchEvent<ConfigMap>[] = []
  const given = { transport: server, resource: configMaps, clock, random: () => 0, ownEvents }
  const watch = watchResource({ ...given, ...options })
  const subscription = watch.subscribe((event) => events.push(event))
  t.teardown(() => subscription.unsubscribe())
  await turns()
  const told = () =>
    events
      .splice(0)
      .map((event) => ('object' in event ? `${event.type} ${event.object.metadata.name}` : event.type))
  t.strictSame(told(), ['listStarted', 'listDone'])
  t.equal(ownEvents.released, 1)
  return { server, ownEvents, clock, told }
}

void t.test('an event that is taken is not parsed, and delivered when it is given back', async (t) => {
  const { server, ownEvents, told } = await watching(t)
  const later = line('MODIFIED', 'a', 11)
  await server.say(later, line('DELETED', 'b', 12))
  const [first, second] = ownEvents.taken
  t.match(
    [first?.head, second?.head],
    [
      { type: 'MODIFIED', kind: 'ConfigMap', apiVersion: 'v1', ...metadata('a', 11) },
      { type: 'DELETED', ...metadata('b', 12) },
    ],
  )
  t.equal(first?.bytes, later.length)
  t.strictSame(told(), [])
  second?.deliver()
  first?.deliver()
  t.strictSame(told(), ['deleted b', 'applied a'])
})

void t.test('events that are not taken are delivered, in any form of their line', async (t) => {
  const { server, ownEvents, told } = await watching(t)
  ownEvents.takes = false
  const sorted = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels: {}, ...metadata('c', 13) } }
  const odd = { kind: 'Secret', apiVersion: 'v1', metadata: metadata('d', 14) }
  await server.say(line('ADDED', 'a', 11), stringifyJson({ type: 'ADDED', object: sorted }))
  await server.say(stringifyJson({ type: 'ADDED', object: odd }), line('DELETED', 'a', 15))
  t.strictSame(told(), ['applied a', 'applied c', 'deleted a'])
  ownEvents.takes = true
  await server.say(stringifyJson({ type: 'MODIFIED', object: { ...sorted, metadata: metadata('c', 16) } }))
  t.match(ownEvents.taken, [{ head: { name: 'c', resourceVersion: '16' } }], 'also one that had to be parsed')
  ownEvents.areExpected = false
  await server.say(line('ADDED', 'a', 17))
  t.strictSame([told(), ownEvents.taken.length], [['applied a'], 1])
})

void t.test('the next watch resumes after the taken events', async (t) => {
  const { server, ownEvents, clock, told } = await watching(t)
  await server.say(line('MODIFIED', 'a', 11))
  await server.end()
  for (let tries = 0; tries < 20 && server.watches.length < 2; tries++) {
    await clock.advance(5000)
    await turns()
  }
  t.strictSame([server.watches, server.lists], [['10', '11'], 1])
  ownEvents.taken[0]?.deliver()
  t.strictSame(told(), ['applied a'])
})

void t.test('a line that turns out to be broken is made up for by a list', async (t) => {
  for (const isKept of [true, false]) {
    const { server, ownEvents, clock, told } = await watching(t)
    ownEvents.takes = isKept
    await server.say(line('MODIFIED', 'a', 11).replace('"data":{}', '"data":{'))
    ownEvents.taken[0]?.deliver()
    for (let tries = 0; tries < 20 && server.lists < 2; tries++) {
      await clock.advance(5000)
      await turns()
    }
    t.strictSame([server.lists, told()], [2, ['listStarted', 'listDone']])
  }
})

void t.test('an answer is a witness of the history of the cluster, like an event', async (t) => {
  const seen: unknown[] = []
  const history = {
    recordListStart: () => {},
    recordRevision: () => {},
    leave: () => {},
    continuation: async (from: string | undefined) => ({ from }),
    recordChange: (metadata: ObjectMeta, deleted: boolean) => seen.push([metadata, deleted]),
  }
  const restores = { join: () => history } as unknown as RestoreDetector
  const { server, ownEvents, told } = await watching(t, { restores })
  await server.say(line('MODIFIED', 'a', 11), line('DELETED', 'b', 12))
  t.strictSame(seen, [])
  const answered = { ...metadata('a', 11), managedFields: [{ manager: 'us' }] }
  ownEvents.taken[0]?.drop(answered)
  ownEvents.taken[1]?.deliver()
  t.strictSame(
    [seen, told()],
    [
      [
        [answered, false],
        [metadata('b', 12), true],
      ],
      ['deleted b'],
    ],
  )
})
