import t from 'tap'
import { type TestOperatorOptions, testOperator } from '../../../testing/operator/test-operator.js'
import type { Client } from '../../engine/client/client.js'
import { configMaps, namespaces } from '../../engine/kube/builtin.js'
import { isNotFound } from '../../engine/kube/error.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { backup, backupDefinition, backups, key } from '../backups.fixture.js'
import { type ControllerDefinition, controller } from '../engine/controller.js'
import { merge } from '../recorded-operator.fixture.js'
import { leftAndRight, registerAll, sharing } from '../sharing.fixture.js'

type Tap = { teardown(done: () => Promise<void>): void }
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** An operator with these controllers, and the names of the objects that it deletes. */
async function start(t: Tap, controllers: readonly ControllerDefinition[], more: TestOperatorOptions = {}) {
  const deletes: string[] = []
  const test = await testOperator((operator) => registerAll(operator, controllers), {
    definitions: [backupDefinition],
    logger: silentLogger,
    wrap: (transport) => ({
      stream: (request) => transport.stream(request),
      close: () => transport.close(),
      request: (request) => {
        if (request.method === 'DELETE') deletes.push(request.path.replace(/.*\/|\?.*/g, ''))
        return transport.request(request)
      },
    }),
    ...more,
  })
  t.teardown(() => test.stop())
  return { ...test, deletes }
}

/** The ConfigMaps of the controllers in a namespace, with their data. */
async function kept(client: Client, namespace = 'default') {
  const { items } = await client.list(configMaps, { namespace })
  const ours = items.filter(({ metadata }) => metadata.name?.startsWith('of-'))
  return Object.fromEntries(ours.map(({ metadata, data = {} }) => [metadata.name, data]))
}

void t.test('a controller that shares its kind deletes only objects that it has applied', async (t) => {
  const { client, settled, deletes } = await start(t, leftAndRight)
  const resize = async (size: number) => {
    await client.patch(backups, key, merge({ spec: { size } }))
    await settled()
    return kept(client)
  }
  await client.create(backups, backup(2))
  await settled()
  t.same(await kept(client), { 'of-left': {}, 'of-right': {}, 'of-all': { left: '2', right: '2' } })
  t.same(deletes, [], 'neither deletes objects of the other')
  t.same(await resize(3), { 'of-right': {}, 'of-all': { right: '3' } }, 'the other one still wants it')
  t.same(deletes, ['of-left'])
  t.same(await resize(4), { 'of-left': {}, 'of-right': {}, 'of-all': { left: '4' } })
  t.same(await resize(5), { 'of-right': {} }, 'the last one deletes it')
  t.same([...new Set(deletes)].sort(), ['of-all', 'of-left'])
})

void t.test('objects elsewhere go with their owner, each by its own controller', async (t) => {
  const always = { own: () => true, common: () => true }
  const controllers = ['left', 'right'].map((name) => sharing(name, always, 'elsewhere'))
  const { client, settled, deletes } = await start(t, controllers)
  await client.create(namespaces, { metadata: { name: 'elsewhere' } })
  await client.create(backups, backup(1))
  await settled()
  t.match((await client.get(backups, key)).metadata.finalizers, { length: 2 })
  await client.delete(backups, key)
  while (await client.get(backups, key).then(() => true, gone)) await nextTurn()
  t.same(await kept(client, 'elsewhere'), {})
  t.same(deletes.sort(), ['of-all', 'of-left', 'of-right'])
})

void t.test('an object elsewhere of one controller does not hold the other one', async (t) => {
  const always = { own: () => true, common: () => false }
  const controllers = ['left', 'right'].map((name) => sharing(name, always, 'elsewhere'))
  const { client, settled } = await start(t, controllers)
  const finalizers = async () => (await client.get(backups, key)).metadata.finalizers
  await client.create(namespaces, { metadata: { name: 'elsewhere' } })
  await client.create(backups, backup(1))
  await settled()
  t.same((await finalizers())?.toSorted(), ['cache.my.domain/left', 'cache.my.domain/right'])
  const held = { namespace: 'elsewhere', name: 'of-right' }
  await client.patch(configMaps, held, merge({ metadata: { finalizers: ['a.b/hold'] } }))
  await client.delete(backups, key)
  await settled()
  t.same(await finalizers(), ['cache.my.domain/right'])
  await client.patch(configMaps, held, merge({ metadata: { finalizers: null } }))
  while (await client.get(backups, key).then(() => true, gone)) await nextTurn()
})

void t.test('a kind that one controller does not own any more keeps the objects of the other', async (t) => {
  const [left, right] = ['left', 'right'].map((name) =>
    sharing(name, { own: () => true, common: () => true }),
  )
  const first = await start(t, [left, right] as ControllerDefinition[])
  await first.client.create(backups, backup(1))
  const annotations = { 'cache.my.domain/owned-kinds': '{"test.left":["ConfigMap"]}' }
  await first.client.patch(backups, key, merge({ metadata: { annotations } }))
  await first.settled()
  await first.stop()
  const forgetful = controller(backups, { name: 'left', shared: true, conditions: [], reconcile: () => {} })
  const { client, deletes } = await start(t, [forgetful, right] as ControllerDefinition[], {
    servers: { main: first.server },
  })
  t.same(await kept(client), { 'of-right': {}, 'of-all': { right: '1' } })
  t.same(deletes, ['of-left'])
  const { metadata } = await client.get(backups, key)
  t.equal(metadata.annotations?.['cache.my.domain/owned-kinds'], undefined)
})

function gone(error: unknown): boolean {
  if (!isNotFound(error)) throw error
  return false
}
