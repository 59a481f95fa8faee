import t from 'tap'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { errorResponse } from '../../../testing/faults/error-response.js'
import { testOperator } from '../../../testing/operator/test-operator.js'
import { configMaps, namespaces } from '../../engine/kube/builtin.js'
import { isNotFound } from '../../engine/kube/error.js'
import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { silentLogger } from '../../engine/observe/logger.js'
import type { Transport } from '../../engine/transport/transport.js'
import { type Backup, backup, backupDefinition, backups, key } from '../backups.fixture.js'
import type { ControllerOptions } from '../controller/definition.js'
import { controller } from '../engine/controller.js'
import { createInternalOperator } from '../operator-runtime.js'
import { merge, type RecordedOperator, recordedOperator } from '../recorded-operator.fixture.js'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

async function find<T extends KubeObject>(
  { client }: Pick<RecordedOperator, 'client'>,
  resource: Resource<T>,
  at: Key,
): Promise<T | undefined> {
  return client.get(resource, at).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
}

void t.test(
  'a cluster-scoped object of an object in a namespace has labels, and goes with its owner',
  async (t) => {
    const at = { namespace: '', name: 'of-daily' }
    const test = await recordedOperator(t, {
      owns: [namespaces],
      reconcile: async (ctx, { metadata }) => {
        await ctx.apply(namespaces, { metadata: { name: `of-${metadata.name}` } })
      },
    })
    const { uid } = (await test.client.create(backups, backup(1))).metadata
    await test.settled()
    const { metadata } = await test.client.get(namespaces, at)
    t.equal(metadata.ownerReferences, undefined, 'the garbage collector would delete it')
    t.match(metadata.labels, { 'cache.my.domain/owner-uid': uid })
    t.same((await test.client.get(backups, key)).metadata.finalizers, ['cache.my.domain/backups'])
    await test.client.delete(backups, key)
    while (await find(test, backups, key)) await nextTurn()
    t.equal(await find(test, namespaces, at), undefined)
  },
)

void t.test('an object elsewhere that is kept does not hold its owner', async (t) => {
  const at = { namespace: '', name: 'of-daily' }
  const test = await recordedOperator(t, {
    owns: [namespaces],
    reconcile: async (ctx) => void (await ctx.apply(namespaces, { metadata: { name: 'of-daily' } })),
  })
  await test.client.create(backups, backup(1))
  await test.settled()
  const annotations = { 'cache.my.domain/keep': 'true' }
  await test.client.patch(namespaces, at, merge({ metadata: { annotations } }))
  await test.settled()
  await test.client.delete(backups, key)
  await test.settled()
  t.equal(await find(test, backups, key), undefined)
  t.ok(await find(test, namespaces, at))
})

void t.test(
  'an object elsewhere that somebody else labels does not hold the deletion of a primary',
  async (t) => {
    const test = await recordedOperator(t, {
      owns: [configMaps, namespaces],
      reconcile: async (ctx) => {
        await ctx.apply(configMaps, { metadata: { namespace: 'elsewhere', name: 'of-daily' } })
        await ctx.apply(namespaces, { metadata: { name: 'of-daily' } })
      },
    })
    const { client } = test
    for (const name of ['elsewhere', 'of-a-tenant']) await client.create(namespaces, { metadata: { name } })
    await client.create(backups, backup(1))
    await test.settled()
    const own = await client.get(configMaps, { namespace: 'elsewhere', name: 'of-daily' })
    const { labels = {}, annotations = {} } = own.metadata
    const forged = { labels, annotations, finalizers: ['of-a.tenant/never'] }
    await client.create(configMaps, { metadata: { ...forged, namespace: 'of-a-tenant', name: 'of-daily' } })
    await client.create(namespaces, { metadata: { ...forged, name: 'forged' } })
    await test.settled()
    await client.delete(backups, key)
    await test.settled()
    t.equal(await find(test, backups, key), undefined)
    t.equal(await find(test, configMaps, { namespace: 'elsewhere', name: 'of-daily' }), undefined)
  },
)

void t.test('the notes of a primary are read once for all objects that somebody labels', async (t) => {
  const test = await recordedOperator(t, {
    owns: [configMaps],
    reconcile: async (ctx) =>
      void (await ctx.apply(configMaps, { metadata: { namespace: 'elsewhere', name: 'of-daily' } })),
  })
  const { client } = test
  for (const name of ['elsewhere', 'of-a-tenant']) await client.create(namespaces, { metadata: { name } })
  await client.create(backups, backup(1))
  await test.settled()
  const { labels = {}, annotations = {} } = (
    await client.get(configMaps, { namespace: 'elsewhere', name: 'of-daily' })
  ).metadata
  const forged = { labels, annotations, finalizers: ['of-a.tenant/never'], namespace: 'of-a-tenant' }
  for (let index = 0; index < 100; index++)
    await client.create(configMaps, { metadata: { ...forged, name: `forged-${index}` } })
  const live = await client.get(backups, key)
  const noted = JSON.parse(live.metadata.annotations?.['cache.my.domain/owned-kinds'] ?? '{}') as object
  const [[manager = '', notes = []] = []] = Object.entries(noted) as [string, string[]][]
  const many = Array.from({ length: 100 }, (_, index) => `K${index}.a/b`)
  const text = JSON.stringify({ [manager]: [...notes, ...many] })
  await client.patch(
    backups,
    key,
    merge({ metadata: { annotations: { 'cache.my.domain/owned-kinds': text } } }),
  )
  await test.settled()
  const parses = t.capture(JSON, 'parse', JSON.parse)
  await client.delete(backups, key)
  await test.settled()
  const reads = parses().filter(({ args: [parsed] }) => parsed === text).length
  t.ok(reads < 50, `the notes were read ${reads} times`)
  t.equal(await find(test, backups, key), undefined)
})

void t.test(
  'an object that the controller applied elsewhere holds the deletion, also after a restart',
  async (t) => {
    const at = { namespace: 'elsewhere', name: 'of-daily' }
    const options: ControllerOptions<Backup> = {
      owns: [configMaps],
      reconcile: async (ctx) => void (await ctx.apply(configMaps, { metadata: at })),
    }
    const first = await recordedOperator(t, options)
    const { client } = first
    await client.create(namespaces, { metadata: { name: 'elsewhere' } })
    await client.create(backups, backup(1))
    await first.settled()
    await client.patch(configMaps, at, merge({ metadata: { finalizers: ['a.b/c'] } }))
    await first.stop()
    await client.delete(backups, key)
    const next = await recordedOperator(t, options, { servers: { main: first.server } })
    await next.settled()
    t.ok((await client.get(configMaps, at)).metadata.deletionTimestamp)
    t.ok(await find(next, backups, key), 'it waits for the object')
    await client.patch(configMaps, at, merge({ metadata: { finalizers: null } }))
    while (await find(next, backups, key)) await nextTurn()
  },
)

void t.test('nothing is deleted while the owned kind cannot be listed', async (t) => {
  const first = await recordedOperator(t, {
    owns: [configMaps],
    reconcile: async (ctx) => void (await ctx.apply(configMaps, { metadata: { name: 'one' } })),
  })
  const one = { ...key, name: 'one' }
  await first.client.create(backups, backup(1))
  await first.settled()
  await first.stop()
  // The next release does not want the object any more, and may not list the kind.
  let isAllowed = false
  const refusing = (inner: Transport): Transport => ({
    request: async (request) =>
      isAllowed || !/\/configmaps\?/.test(request.path) ? inner.request(request) : errorResponse(403),
    stream: (request) => inner.stream(request),
    close: () => inner.close(),
  })
  const warnings: string[] = []
  const logger = {
    ...silentLogger,
    warn: (_: object, text: string) => void warnings.push(text),
    child: () => logger,
  }
  let runs = 0
  const operator = createInternalOperator({
    name: 'memcached-operator',
    env: {},
    logger,
    leaderElection: false,
    openClusters: async () => ({
      transports: new Map([['main', refusing(inProcessTransport(first.server))]]),
    }),
  })
  operator.register(controller(backups, { owns: [configMaps], reconcile: () => void runs++ }))
  const ended = operator.start()
  t.teardown(async () => {
    await operator.stop()
    await ended
  })
  while (!warnings.some((text) => text.includes('may not be listed'))) await nextTurn()
  await first.client.patch(backups, key, merge({ spec: { size: 2 } }))
  for (let turns = 0; turns < 50; turns++) await nextTurn()
  t.equal(runs, 0)
  t.ok(await find(first, configMaps, one))
  isAllowed = true
  while (await find(first, configMaps, one)) await nextTurn()
  t.ok(runs > 0, 'it goes once the list is complete')
})

/** A controller that keeps a ConfigMap while the size is not 0. */
const keeping: ControllerOptions<Backup> = {
  owns: [configMaps],
  reconcile: async (ctx, { spec }) => {
    if (spec.size > 0) await ctx.apply(configMaps, { metadata: { name: 'one' } })
  },
}
const one = { ...key, name: 'one' }

void t.test('an object that is being deleted is not deleted again', async (t) => {
  const test = await recordedOperator(t, keeping)
  const { client } = test
  await client.create(backups, backup(1))
  await test.settled()
  await client.patch(configMaps, one, merge({ metadata: { finalizers: ['a.b/c'] } }))
  for (const labels of [{ a: '1' }, { a: '2' }]) {
    await client.patch(backups, key, merge({ metadata: { labels }, spec: { size: 0 } }))
    await test.settled()
  }
  t.same(
    test.writes.filter((write) => write.startsWith('DELETE')),
    ['DELETE /api/v1/namespaces/default/configmaps/one'],
  )
  await client.patch(configMaps, one, merge({ metadata: { finalizers: null } }))
})

void t.test('objects with a reference are left to the garbage collector, so an orphan stays', async (t) => {
  const test = await recordedOperator(t, { ...keeping, finalize: () => {} })
  await test.client.create(backups, backup(1))
  await test.settled()
  await test.client.delete(backups, key, { propagationPolicy: 'Orphan' })
  while (await find(test, backups, key)) await nextTurn()
  await test.settled()
  t.match((await find(test, configMaps, one))?.metadata, { ownerReferences: undefined })
  t.notOk(test.writes.some((write) => write.startsWith('DELETE')))
})

void t.test(
  'a delete is of the object as it was read, and one that has changed is looked at again',
  async (t) => {
    const preconditions: { uid?: string; resourceVersion?: string }[] = []
    const problems: string[] = []
    const note = (_: object, text: string) => void problems.push(text)
    const logger = { ...silentLogger, warn: note, error: note, child: () => logger }
    let beforeDelete = async (): Promise<unknown> => undefined
    const wrap = (inner: Transport): Transport => ({
      request: async (request) => {
        if (request.method !== 'DELETE') return inner.request(request)
        preconditions.push(JSON.parse(String(request.body)).preconditions)
        await beforeDelete()
        return inner.request(request)
      },
      stream: (request) => inner.stream(request),
      close: () => inner.close(),
    })
    const { client, settled, stop } = await testOperator(
      (operator) => operator.register(controller(backups, keeping)),
      { definitions: [backupDefinition], logger, wrap },
    )
    t.teardown(stop)
    await client.create(backups, backup(1))
    await settled()
    const { uid, resourceVersion } = (await client.get(configMaps, one)).metadata
    const annotations = { 'cache.my.domain/keep': 'true' }
    beforeDelete = () => client.patch(configMaps, one, merge({ metadata: { annotations } }))
    await client.patch(backups, key, merge({ spec: { size: 0 } }))
    await settled()
    t.same(preconditions, [{ uid, resourceVersion }])
    t.ok(await client.get(configMaps, one), 'a person has released it meanwhile')
    t.same(problems, [], 'the run has not failed')
  },
)
