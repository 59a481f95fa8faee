import type { Subscription } from 'rxjs'
import t, { type Test } from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { createClient } from '../client/create-client.js'
import { configMaps, events as eventsKind, leases, secrets } from '../kube/builtin.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import { type LogFields, type Logger, silentLogger } from '../observe/logger.js'
import { BreakableTransport } from './breakable-transport.fixture.js'
import type { WatchEvent } from './event.js'
import { RestoreDetector } from './restore-detector.js'
import { revisionSpace } from './revision-space.js'
import { watchResource } from './watch-resource.js'

const namespace = 'default'

/** An embedded cluster in virtual time, with watches of ConfigMaps and Secrets that share a detector. */
async function setUp(t: Test, resources: readonly Resource[] = [configMaps, secrets]) {
  const clock = new VirtualClock()
  const server = await createApiServer({ clock, bookmarkIntervalMs: 1000, controllers: false })
  t.teardown(() => server.close())
  const client = createClient({ transport: inProcessTransport(server) })
  const transport = new BreakableTransport(server)
  const warned: { message: string; fields: LogFields }[] = []
  const logger: Logger = {
    ...silentLogger,
    warn: (fields, message) => {
      if (message.includes('restored')) warned.push({ fields, message })
    },
    child: () => logger,
  }
  const restores = new RestoreDetector({ transport, cluster: 'virtual', logger, clock })
  const events: string[] = []
  const random = () => 0.5
  const watch = (resource: Resource): Subscription =>
    watchResource<KubeObject>({ transport, resource, namespace, clock, logger, random, restores }).subscribe(
      (event) => events.push(`${resource.plural} ${inWords(event)}`),
    )
  const watches = resources.map(watch)
  t.teardown(() => {
    for (const one of watches) one.unsubscribe()
  })
  await clock.advance(0)
  const create = (name: string, resource: Resource = configMaps) =>
    client.create(resource, { metadata: { namespace, name, labels: { made: 'yes' } } })
  const createEvent = (name: string) =>
    client.create(eventsKind, { metadata: { namespace, name }, involvedObject: { namespace } })
  const change = (name: string, value: string) =>
    client.patch(configMaps, { namespace, name }, { type: 'merge', body: { data: { value } } })
  const remove = (name: string) => client.delete(configMaps, { namespace, name })
  /** Writes objects that are not watched until the revision is as high. */
  const grow = async (revision: string) => {
    for (let i = 0; Number(server.resourceVersion) <= Number(revision); i++)
      await client.create(leases, { metadata: { namespace, name: `noise-${revision}-${i}` } })
  }
  /** The events, without bookmarks. */
  const take = () => events.splice(0).filter((event) => !event.includes('bookmark'))
  return { clock, server, transport, warned, watch, watches, create, createEvent, change, remove, grow, take }
}

function inWords(event: WatchEvent): string {
  if ('object' in event) return `${event.type} ${event.object.metadata.name}`
  return event.type === 'listDone' && event.restored ? 'listDone, restored' : event.type
}

/** Breaks every watch, and lets them in again after so long, in milliseconds. */
async function outage({ clock, transport }: Awaited<ReturnType<typeof setUp>>, lastsMs: number) {
  transport.isDown = true
  transport.break()
  await clock.advance(lastsMs)
  transport.isDown = false
  await clock.advance(5000)
}

const lists = (asked: readonly string[]) => asked.filter((path) => path.includes('limit=500')).length

void t.test('watches that broke resume without a list, and one question answers for all', async (t) => {
  const the = await setUp(t)
  await the.create('a')
  await the.clock.advance(5000)
  the.take()
  the.transport.take()
  the.transport.isDown = true
  the.transport.break()
  await the.create('b')
  await outage(the, 3000)
  t.same(the.take(), ['configmaps applied b'])
  t.same(the.transport.take(), [
    '/api/v1/namespaces/default/configmaps?fieldSelector=metadata.name%3Da&limit=1',
  ])
  t.same(the.warned, [])
})

void t.test('a change or deletion during an outage is not taken for a restore', async (t) => {
  const the = await setUp(t)
  await the.create('a')
  for (const step of [() => the.change('a', '2'), () => the.remove('a'), () => the.create('a')]) {
    await the.clock.advance(3000)
    the.take()
    the.transport.take()
    the.transport.isDown = true
    the.transport.break()
    await step()
    await outage(the, 3000)
    t.equal(the.take().length, 1)
    t.equal(lists(the.transport.take()), 0)
  }
  t.same(the.warned, [])
})

void t.test('a deletion as the last seen change is checked with the API server as well', async (t) => {
  const the = await setUp(t)
  await the.create('a')
  await the.create('b')
  const backup = the.server.snapshot()
  await the.remove('a')
  await the.clock.advance(3000)
  const { resourceVersion } = the.server
  the.take()
  the.transport.take()
  await outage(the, 3000)
  t.same(the.take(), [])
  t.same(lists(the.transport.take()), 0, 'after an outage')
  the.server.restore(backup)
  await the.grow(resourceVersion)
  await outage(the, 3000)
  t.ok(the.take().includes('configmaps listed a'), 'after a restore it is there again')
  t.equal(the.warned.length, 1)
})

void t.test('a restore is found where the cluster is ahead again before anybody asks', async (t) => {
  const the = await setUp(t)
  await the.create('a')
  await the.create('secret', secrets)
  const backup = the.server.snapshot()
  await the.change('a', 'lost')
  await the.clock.advance(3000)
  const { resourceVersion } = the.server
  the.take()
  the.server.restore(backup)
  // The same object is written at the same revision again, but later.
  await the.change('a', 'lost')
  await the.grow(resourceVersion)
  await outage(the, 3000)
  t.same(the.take().sort(), [
    'configmaps listDone, restored',
    'configmaps listStarted',
    'configmaps listed a',
    'secrets listDone, restored',
    'secrets listStarted',
    'secrets listed secret',
  ])
  t.match(the.warned, [
    { message: 'the virtual cluster was restored from a backup', fields: { cluster: 'virtual' } },
  ])
})

void t.test('writes to a restored cluster before it reaches the old revision are not missed', async (t) => {
  const the = await setUp(t)
  await the.create('a')
  const backup = the.server.snapshot()
  await the.grow(the.server.resourceVersion)
  // A bookmark moves the watches beyond the last event.
  await the.clock.advance(3000)
  const { resourceVersion } = the.server
  the.take()
  the.server.restore(backup)
  await the.create('in-the-gap')
  await the.grow(resourceVersion)
  await outage(the, 3000)
  t.ok(the.take().some((event) => event.endsWith(' in-the-gap')))
})

void t.test('an object deleted before the first list does not come back after an outage', async (t) => {
  const the = await setUp(t, [])
  await the.create('a')
  await the.create('gone')
  await the.change('gone', '2')
  await the.remove('gone')
  const watch = the.watch(configMaps)
  t.teardown(() => watch.unsubscribe())
  await the.clock.advance(5000)
  t.same(the.take(), ['configmaps listStarted', 'configmaps listed a', 'configmaps listDone'])
  for (const _ of [1, 2]) {
    await outage(the, 3000)
    // Only "a" is remembered, and the API server sends all that was after it; a list says what that came to.
    t.same(the.take(), ['configmaps listStarted', 'configmaps listed a', 'configmaps listDone'])
  }
  await the.create('b')
  await the.clock.advance(3000)
  the.take()
  the.transport.take()
  await outage(the, 3000)
  t.same([the.take(), lists(the.transport.take())], [[], 0], 'a later change is gone on from')
  t.same(the.warned, [])
})

void t.test('a cluster whose watches go on is asked once a minute, and a restore found', async (t) => {
  const the = await setUp(t)
  await the.create('a')
  const backup = the.server.snapshot()
  await the.change('a', 'lost')
  await the.clock.advance(100)
  the.take()
  the.transport.take()
  await the.clock.advance(200_000)
  t.equal(the.transport.take().length, 3)
  the.server.restore(backup)
  await the.clock.advance(60_000)
  t.ok(the.take().includes('configmaps listDone, restored'))
  t.equal(the.warned.length, 1)
  for (const watch of the.watches) watch.unsubscribe()
  the.transport.take()
  await the.clock.advance(600_000)
  t.same(the.transport.take(), [], 'without watches there are no requests')
})

void t.test(
  'if the API server has forgotten the last change everything is listed again, without a warning',
  async (t) => {
    const the = await setUp(t)
    await the.create('a')
    await the.clock.advance(3000)
    the.take()
    the.transport.isDown = true
    the.transport.break()
    await the.change('a', 'changed')
    the.server.compact()
    await outage(the, 3000)
    t.same(the.take().sort(), [
      'configmaps listDone',
      'configmaps listStarted',
      'configmaps listed a',
      'secrets listDone',
      'secrets listStarted',
    ])
    t.same(the.warned, [])
  },
)

void t.test('a revision that is too low for a short time is not taken for a restore', async (t) => {
  const the = await setUp(t)
  await the.create('a')
  await the.clock.advance(3000)
  the.take()
  let lagging = 1
  const body = Buffer.from(JSON.stringify({ metadata: { resourceVersion: '1' }, items: [] }))
  the.transport.answer = (path) =>
    path.endsWith('limit=1') && lagging-- > 0 ? { status: 200, headers: {}, body } : undefined
  await outage(the, 3000)
  t.same([the.take(), the.warned], [[], []])
  lagging = 2
  await outage(the, 3000)
  t.equal(the.warned.length, 1, 'but it is where it stays')
})

void t.test('an API server that refuses the question does not hold up the watches', async (t) => {
  const the = await setUp(t)
  await the.create('a')
  await the.clock.advance(3000)
  the.take()
  const refuse = (status: number) => (path: string) =>
    path.endsWith('limit=1') ? { status, headers: {}, body: Buffer.from('') } : undefined
  the.transport.answer = refuse(403)
  await outage(the, 3000)
  t.equal(the.take().filter((event) => event.endsWith('listDone')).length, 2, 'they list again')
  the.transport.answer = refuse(503)
  await outage(the, 3000)
  t.same(the.take(), [], 'one that is busy is asked again later')
  the.transport.answer = () => undefined
  await the.clock.advance(60_000)
  await the.create('b')
  await the.clock.advance(0)
  t.same(the.take(), ['configmaps applied b'])
})

void t.test(
  'stores that may be apart are asked in turn, each once a minute has passed, and one warning is enough',
  async (t) => {
    const the = await setUp(t, [configMaps, eventsKind])
    await the.create('a')
    const backup = the.server.snapshot()
    await the.change('a', 'lost')
    await the.createEvent('lost')
    await the.clock.advance(100)
    the.take()
    the.transport.take()
    await the.clock.advance(120_000)
    t.same(
      the.transport.take().map((path) => path.replace(/^.*namespaces.default.|&.*$/g, '')),
      ['configmaps?fieldSelector=metadata.name%3Da', 'events?fieldSelector=metadata.name%3Dlost'],
    )
    the.server.restore(backup)
    await outage(the, 3000)
    t.same(
      the
        .take()
        .filter((event) => event.endsWith('restored'))
        .sort(),
      ['configmaps listDone, restored', 'events listDone, restored'],
    )
    t.equal(the.warned.length, 1)
  },
)

void t.test('revisions are compared where they are of one store', (t) => {
  const of = (group: string, plural: string) => revisionSpace({ group, plural })
  t.equal(of('', 'configmaps'), of('networking.k8s.io', 'ingresses'))
  t.not(revisionSpace(eventsKind), of('', 'configmaps'), 'Events may have an etcd of their own')
  t.equal(of('', 'events'), of('events.k8s.io', 'events'))
  t.not(of('acme.io', 'things'), of('', 'configmaps'), 'a group may be served by an API server of its own')
  t.end()
})
