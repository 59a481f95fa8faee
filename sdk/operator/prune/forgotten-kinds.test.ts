import t from 'tap'
import * as z from 'zod'
import { type ApiServer, createApiServer } from '../../../apiserver/api-server.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { errorResponse } from '../../../testing/faults/error-response.js'
import { type TestOperatorOptions, testOperator } from '../../../testing/operator/test-operator.js'
import type { Client } from '../../engine/client/client.js'
import {
  configMaps,
  customResourceDefinitions,
  namespaces,
  secrets,
  serviceAccounts,
} from '../../engine/kube/builtin.js'
import { isNotFound } from '../../engine/kube/error.js'
import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { type Logger, silentLogger } from '../../engine/observe/logger.js'
import { type Backup, backup, backupDefinition, backups, key } from '../backups.fixture.js'
import type { ControllerOptions } from '../controller/definition.js'
import { controller } from '../engine/controller.js'
import { defineKind } from '../kind/define/define-kind.js'
import { crdOf } from '../kind/definition/crd-of.js'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const annotation = 'cache.my.domain/owned-kinds'
const daily = { ...key, name: 'of-daily' }

/** A kind of another program. */
const routes = defineKind({
  group: 'net.my.domain',
  version: 'v1',
  kind: 'Route',
  spec: z.object({ to: z.string() }),
})

/** Two API servers of an operator whose releases start one after the other. */
async function releases(t: Tap) {
  const servers: Record<string, ApiServer> = {
    main: await createApiServer({ name: 'main' }),
    other: await createApiServer({ name: 'other' }),
  }
  const release = async (
    options: Omit<ControllerOptions<Backup>, 'cluster'>,
    more: Pick<TestOperatorOptions, 'clock' | 'logger' | 'wrap'> = {},
  ) => {
    const definition = controller(backups, { cluster: 'main', ...options })
    const test = await testOperator((operator) => operator.register(definition), {
      name: 'memcached-operator',
      definitions: [backupDefinition, crdOf(routes)],
      logger: silentLogger,
      servers,
      ...more,
    })
    t.teardown(() => test.stop())
    return test
  }
  return { release }
}

type Tap = { teardown(done: () => Promise<void>): void }
type Wrap = NonNullable<TestOperatorOptions['wrap']>

/** A release that keeps a ConfigMap for each object, in this namespace. */
const withSettings = (namespace: string, more: Partial<ControllerOptions<Backup>> = {}) => ({
  owns: [configMaps],
  ...more,
  reconcile: async (ctx: Parameters<ControllerOptions<Backup>['reconcile']>[0]) =>
    void (await ctx.apply(configMaps, { metadata: { namespace, name: 'of-daily' } })),
})
const withRoute: ControllerOptions<Backup> = {
  owns: [routes],
  ownedKindsHint: true,
  reconcile: async (ctx) =>
    void (await ctx.apply(routes, { metadata: { name: 'of-daily' }, spec: { to: 'a' } })),
}
const withoutAny = { reconcile: () => {} }

async function find<T extends KubeObject>(client: Client, resource: Resource<T>, at: Key) {
  return client.get(resource, at).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
}

const noted = async (client: Client) => (await client.get(backups, key)).metadata.annotations?.[annotation]

/** The next releases, after one that has made the object in another namespace. */
async function afterElsewhere(t: Tap) {
  const { release } = await releases(t)
  const first = await release(withSettings('elsewhere'))
  const { client } = first
  await client.create(namespaces, { metadata: { name: 'elsewhere' } })
  await client.create(backups, backup(1))
  await first.settled()
  await first.stop()
  return { release, client }
}

void t.test('objects of a kind that a release does not own any more are deleted', async (t) => {
  const { release } = await releases(t)
  const first = await release(withSettings('default', { ownedKindsHint: true }))
  const { client } = first
  await client.create(backups, backup(1))
  await first.settled()
  t.equal(await noted(client), '{"memcached-operator.backups":["ConfigMap"]}')
  const { metadata } = await client.get(configMaps, daily)
  const copy = { namespace: 'default', ownerReferences: metadata.ownerReferences ?? [] }
  await first.stop()
  await client.create(configMaps, { metadata: { ...copy, name: 'of-a-person' } })
  const next = await release(withoutAny)
  await next.settled()
  t.equal(await find(client, configMaps, daily), undefined)
  t.ok(await find(client, configMaps, { ...key, name: 'of-a-person' }), 'the controller did not apply it')
  t.equal(await noted(client), undefined)
})

void t.test(
  'kinds that a user adds hold up no kind of an earlier release, and take little memory',
  async (t) => {
    const { release } = await releases(t)
    const first = await release(withSettings('default', { ownedKindsHint: true }))
    const { client } = first
    await client.create(backups, backup(1))
    await first.settled()
    await first.stop()
    const junk = Array.from({ length: 40 }, (_, n) => `A${n}`)
    const edit = { 'memcached-operator.backups': [...junk, 'ConfigMap'] }
    const annotations = { [annotation]: JSON.stringify(edit) }
    await client.patch(backups, key, { type: 'merge', body: { metadata: { annotations } } })
    const lists: string[] = []
    const wrap: Wrap = (inner) => ({
      request: (request) => {
        if (/\/configmaps\?/.test(request.path)) lists.push(`${request.path} ${request.headers?.accept}`)
        return inner.request(request)
      },
      stream: (request) => inner.stream(request),
      close: () => inner.close(),
    })
    const next = await release(withoutAny, { wrap })
    await next.settled()
    t.equal(await find(client, configMaps, daily), undefined)
    t.match(lists, [/limit=100 .*as=PartialObjectMetadataList/], 'pages with the metadata alone')
    t.equal(await noted(client), JSON.stringify({ 'memcached-operator.backups': junk.sort() }))
  },
)

void t.test('the finalizer and the kinds are one patch, and a second start writes nothing', async (t) => {
  const { release } = await releases(t)
  const sent: string[] = []
  const wrap: Wrap = (transport) => ({
    request: (request) => {
      if (request.method !== 'GET') sent.push(`${request.method} ${request.path.split('?')[0]}`)
      return transport.request(request)
    },
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  })
  const options = withSettings('default', { finalize: () => {} })
  const first = await release(options, { wrap })
  await first.client.create(backups, backup(1))
  await first.settled()
  const path = '/apis/cache.my.domain/v1/namespaces/default/backups/daily'
  t.same(sent, [
    `PATCH ${path}`,
    'PATCH /api/v1/namespaces/default/configmaps/of-daily',
    `PATCH ${path}/status`,
  ])
  t.equal(await noted(first.client), '{"memcached-operator.backups":["ConfigMap"]}')
  await first.stop()
  await (await release(options, { wrap })).settled()
  t.equal(sent.length, 3)
})

void t.test('objects elsewhere are deleted with their owner, although their kind is forgotten', async (t) => {
  const { release } = await releases(t)
  const first = await release(withSettings('elsewhere'))
  const { client } = first
  await client.create(namespaces, { metadata: { name: 'elsewhere' } })
  await client.create(backups, backup(1))
  await first.settled()
  const at = { namespace: 'elsewhere', name: 'of-daily' }
  t.ok(await find(client, configMaps, at))
  t.equal(await noted(client), '{"memcached-operator.backups":["ConfigMap","main/ConfigMap@elsewhere"]}')
  await client.patch(configMaps, at, { type: 'merge', body: { metadata: { finalizers: ['a.b/c'] } } })
  await first.stop()
  await client.delete(backups, key)
  const next = await release(withoutAny)
  await next.settled()
  t.ok((await client.get(configMaps, at)).metadata.deletionTimestamp)
  t.ok(await find(client, backups, key), 'it waits for the object')
  await client.patch(configMaps, at, { type: 'merge', body: { metadata: { finalizers: null } } })
  await next.stop()
  await (await release(withoutAny)).settled()
  while (await find(client, backups, key)) await nextTurn()
})

void t.test('a kind whose definition is gone stops nothing', async (t) => {
  const { release } = await releases(t)
  const first = await release(withRoute)
  const { client } = first
  await client.create(backups, backup(1))
  await first.settled()
  t.equal(await noted(client), '{"memcached-operator.backups":["Route.net.my.domain"]}')
  await first.stop()
  const named = { namespace: '', name: 'routes.net.my.domain' }
  let runs = 0
  const clock = new VirtualClock()
  const warnings: string[] = []
  const next = await release({ reconcile: () => void runs++ }, { clock, logger: warningsTo(warnings) })
  await client.delete(customResourceDefinitions, named)
  while (await find(client, customResourceDefinitions, named)) await nextTurn()
  const edit = {
    'memcached-operator.backups': ['Route.net.my.domain', 'main/Route.net.my.domain', 'gone/Pod'],
  }
  const annotations = { [annotation]: JSON.stringify(edit) }
  const finalizers = ['cache.my.domain/backups']
  const before = runs
  await client.patch(backups, key, { type: 'merge', body: { metadata: { annotations, finalizers } } })
  await next.settled()
  t.ok(runs > before)
  t.match(await noted(client), /gone\/Pod/, 'it may come back')
  await client.delete(backups, key)
  while (await find(client, backups, key)) await clock.advance(5000)
  t.ok(clock.now() >= 60_000, 'two answers a minute apart say so')
  t.match(warnings, [/objects of "gone\/Pod".* may be left: the operator has no cluster of this name/])
})

void t.test('a missing answer of discovery does not release the primary', async (t) => {
  const { release, client } = await afterElsewhere(t)
  await client.delete(backups, key)
  const clock = new VirtualClock()
  const discovery = { asked: 0, isMissing: true }
  const wrap: Wrap = (inner) => ({
    request: async (request) => {
      if (request.path !== '/api/v1') return inner.request(request)
      discovery.asked++
      return discovery.isMissing ? errorResponse(404) : inner.request(request)
    },
    stream: (request) => inner.stream(request),
    close: () => inner.close(),
  })
  const next = await release(withoutAny, { clock, wrap })
  await next.settled()
  await clock.advance(50_000)
  await next.settled()
  t.equal(discovery.asked, 1)
  t.ok(await find(client, backups, key), 'one answer proves nothing')
  discovery.isMissing = false
  while (await find(client, backups, key)) await clock.advance(5000)
  t.equal(await find(client, configMaps, { namespace: 'elsewhere', name: 'of-daily' }), undefined)
})

void t.test('a deletion removes the objects of all forgotten kinds and locations', async (t) => {
  const { release } = await releases(t)
  const kinds: Resource[] = [configMaps, secrets, serviceAccounts]
  const places = Array.from({ length: 40 }, (_, at) => ({
    kind: kinds[at % 3] ?? configMaps,
    namespace: `team-${Math.floor(at / 3)}`,
  }))
  const first = await release({
    owns: kinds,
    async reconcile(ctx) {
      for (const { kind, namespace } of places)
        await ctx.apply(kind, { metadata: { namespace, name: 'of-daily' } })
    },
  })
  const { client } = first
  for (const name of new Set(places.map(({ namespace }) => namespace)))
    await client.create(namespaces, { metadata: { name } })
  await client.create(backups, backup(1))
  await first.settled()
  t.equal((await noted(client))?.match(/main\//g)?.length, 40)
  await first.stop()
  await client.delete(backups, key)
  const clock = new VirtualClock()
  await release(withoutAny, { clock })
  while (await find(client, backups, key)) await clock.advance(5000)
  for (const { kind, namespace } of places)
    t.equal(await find(client, kind, { namespace, name: 'of-daily' }), undefined)
})

void t.test('without the permission the objects stay, and a deletion waits for it', async (t) => {
  const { release, client } = await afterElsewhere(t)
  const warnings: string[] = []
  const refused = { lists: 0, isAllowed: false }
  const next = await release(withoutAny, { logger: warningsTo(warnings), wrap: refusingLists(refused) })
  await client.patch(backups, key, { type: 'merge', body: { spec: { size: 2 } } })
  await next.settled()
  const at = { namespace: 'elsewhere', name: 'of-daily' }
  const told = warnings.filter((text) => /earlier release owned .*configmaps.* may not list and/.test(text))
  t.equal(told.length, 1, 'not at each run')
  t.equal(refused.lists, 2, 'one for each place, at most once a minute')
  t.ok(await find(client, configMaps, at))
  await client.delete(backups, key)
  const conditions = async () => (await client.get(backups, key)).status?.conditions
  while (!(await conditions())?.some(({ type }) => type === 'Finalized')) await nextTurn()
  await next.stop()
  await release(withoutAny, { wrap: refusingLists({ lists: 0, isAllowed: true }) })
  while (await find(client, backups, key)) await nextTurn()
  t.equal(await find(client, configMaps, at), undefined)
})

/** Refuses to list ConfigMaps until they are allowed. */
function refusingLists(refused: { lists: number; isAllowed: boolean }): Wrap {
  return (inner) => ({
    request: async (request) => {
      if (refused.isAllowed || !/\/configmaps\?/.test(request.path)) return inner.request(request)
      refused.lists++
      return errorResponse(403)
    },
    stream: (request) => inner.stream(request),
    close: () => inner.close(),
  })
}

function warningsTo(warnings: string[]): Logger {
  const logger: Logger = {
    ...silentLogger,
    warn: (_, text) => void warnings.push(text),
    child: () => logger,
  }
  return logger
}
