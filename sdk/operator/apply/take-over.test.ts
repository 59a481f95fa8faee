import t from 'tap'
import { type ApiServer, createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { testOperator } from '../../../testing/operator/test-operator.js'
import type { Client } from '../../engine/client/client.js'
import { createClient } from '../../engine/client/create-client.js'
import { customResourceDefinitions, type Deployment, deployments } from '../../engine/kube/builtin.js'
import { type Logger, silentLogger } from '../../engine/observe/logger.js'
import { type Backup, backup, backupDefinition, backups, deploymentFor, key } from '../backups.fixture.js'
import type { ControllerOptions } from '../controller/definition.js'
import { owned } from '../controller/owned.js'
import { controller } from '../engine/controller.js'
import type { ManagedFieldsEntry } from './managed-leaves.js'
import { takeOver } from './take-over.js'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

interface Started {
  stop(): Promise<void>
  settled(): Promise<void>
}
type Tap = { teardown(done: () => Promise<void>): void }

/** An API server with the definition, on which operators of any name are started one after the other. */
async function cluster(t: Tap) {
  const server: ApiServer = await createApiServer()
  const client = createClient({ transport: inProcessTransport(server) })
  await client.create(customResourceDefinitions, backupDefinition)
  const isServed = () =>
    client.list(backups).then(
      () => true,
      () => false,
    )
  while (!(await isServed())) await nextTurn()
  const start = async (name: string, options: ControllerOptions<Backup>, logger = silentLogger) => {
    const test: Started = await testOperator((operator) => operator.register(controller(backups, options)), {
      name,
      logger,
      definitions: [backupDefinition],
      servers: { main: server },
    })
    t.teardown(() => test.stop())
    await test.settled()
    return test
  }
  return { client, start }
}

/** A controller that applies an annotation and writes the names of nodes, or one that leaves both out. */
const applying = (has: 'all' | 'less', options: Partial<ControllerOptions<Backup>> = {}) =>
  ({
    owns: [deployments],
    ...options,
    reconcile: async (ctx, object) => {
      const { metadata, ...wanted } = deploymentFor(object as Backup)
      const more = has === 'all' ? { annotations: { 'cache.my.domain/old': 'yes' } } : {}
      await ctx.apply(deployments, { ...wanted, metadata: { ...metadata, ...more } } as Deployment)
      ctx.status.nodes = has === 'all' ? ['a'] : undefined
      ctx.condition('Available', true, 'Done')
    },
  }) satisfies ControllerOptions<Backup>

const managers = ({ metadata }: { metadata: { managedFields?: readonly unknown[] } }) =>
  ((metadata.managedFields ?? []) as readonly ManagedFieldsEntry[]).map(
    ({ manager, operation, subresource }) => [operation, manager, subresource].filter(Boolean).join(' '),
  )

/** The results of a controller: the annotation and the nodes. */
async function made(client: Client) {
  const { metadata } = await client.get(deployments, key)
  const { status } = await client.get(backups, key)
  return [metadata.annotations?.['cache.my.domain/old'], status?.nodes]
}

void t.test('the fields of a renamed operator are taken over, and go when they are left out', async (t) => {
  const { client, start } = await cluster(t)
  await client.create(backups, backup(2))
  const older = await start('old-operator', applying('all'))
  t.strictSame(await made(client), ['yes', ['a']])
  await older.stop()
  const formerFieldManagers = ['old-operator.backups']
  const newer = await start('new-operator', applying('less', { formerFieldManagers }))
  t.strictSame(await made(client), [undefined, undefined])
  t.strictSame(managers(await client.get(deployments, key)), ['Apply new-operator.backups'])
  const ofStatus = managers(await client.get(backups, key)).filter((text) => text.endsWith(' status'))
  t.strictSame(ofStatus, ['Apply new-operator.backups status'])
  const { resourceVersion } = (await client.get(deployments, key)).metadata
  await newer.stop()
  await start('new-operator', applying('less', { formerFieldManagers }))
  t.equal((await client.get(deployments, key)).metadata.resourceVersion, resourceVersion)
})

void t.test('without that the fields stay, because the earlier name owns them, too', async (t) => {
  const { client, start } = await cluster(t)
  await client.create(backups, backup(2))
  const older = await start('old-operator', applying('all'))
  await older.stop()
  await start('new-operator', applying('less'))
  t.strictSame(await made(client), ['yes', ['a']])
})

void t.test(
  'fields of a program that wrote whole objects are taken over, those of others stay',
  async (t) => {
    const { client, start } = await cluster(t)
    const { metadata } = await client.create(backups, backup(2))
    const owner = { apiVersion: 'cache.my.domain/v1', kind: 'Backup', name: 'daily', uid: metadata.uid ?? '' }
    const { metadata: wanted, ...rest } = deploymentFor(backup(2))
    const annotations = { 'cache.my.domain/old': 'yes' }
    const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: true }]
    const before = await client.create(deployments, {
      ...rest,
      metadata: { ...wanted, namespace: 'default', annotations, ownerReferences },
    })
    const [{ manager = '' } = {}] = before.metadata.managedFields as ManagedFieldsEntry[]
    await client.patch(deployments, key, {
      type: 'apply',
      fieldManager: 'person',
      body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { annotations: { mine: 'yes' } } },
    })
    await start('new-operator', applying('less', { formerFieldManagers: [manager] }))
    const after = await client.get(deployments, key)
    t.equal(after.metadata.uid, before.metadata.uid)
    t.strictSame(after.metadata.annotations, { mine: 'yes' })
    t.strictSame(managers(after).sort(), ['Apply new-operator.backups', 'Apply person'])
  },
)

void t.test('another operator that writes the same status is reported once', async (t) => {
  const { client, start } = await cluster(t)
  const warnings: string[] = []
  const logger: Logger = {
    ...silentLogger,
    warn: (fields, message) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
    child: () => logger,
  }
  await client.create(backups, backup(2))
  await client.create(backups, { ...backup(2), metadata: { ...key, name: 'weekly' } })
  const first = await start('first', applying('all'))
  await first.stop()
  await start('second', applying('all'), logger)
  t.strictSame(warnings, [], 'an equal status is not written')
  await client.patch(backups, key, { type: 'merge', body: { spec: { size: 3 } } })
  const weekly = { ...key, name: 'weekly' }
  await client.patch(backups, weekly, { type: 'merge', body: { spec: { size: 3 } } })
  while ((await client.get(backups, weekly)).status?.observedGeneration !== 2) await nextTurn()
  t.equal(warnings.length, 1)
  t.match(
    warnings[0],
    /another field manager writes the status of Backup objects, too: "first\.backups"\. If it is an operator, /,
  )
})

void t.test('after a restore with new UIDs objects are adopted by their labels', async (t) => {
  const { client, start } = await cluster(t)
  const options = applying('all', { owns: [owned(deployments, { adopt: 'by-label' })] })
  await client.create(backups, backup(2))
  const weekly = { ...key, name: 'weekly' }
  await client.create(backups, { ...backup(2), metadata: weekly })
  const before = await start('memcached-operator', options)
  const saved = await client.get(deployments, key)
  const savedWeekly = await client.get(deployments, weekly)
  t.equal(saved.metadata.ownerReferences?.length, 1, 'the garbage collector needs the reference')
  await before.stop()
  const isThere = (read: Promise<unknown>) =>
    read.then(
      () => true,
      () => false,
    )
  for (const at of [key, weekly]) {
    await client.delete(backups, at, { propagationPolicy: 'Background' })
    while (await isThere(client.get(deployments, at))) await nextTurn()
  }
  const restored = await client.create(backups, backup(2))
  const { labels = {}, annotations = {} } = saved.metadata
  const stripped = { metadata: { ...key, labels, annotations }, spec: saved.spec } as Deployment
  const { uid } = (await client.create(deployments, stripped)).metadata
  // A copy of the labels of another primary is not enough.
  await client.create(backups, { ...backup(2), metadata: weekly })
  const foreign = { ...stripped, spec: savedWeekly.spec, metadata: { ...stripped.metadata, name: 'weekly' } }
  await client.create(deployments, foreign as Deployment)
  await start('memcached-operator', options)
  const adopted = await client.get(deployments, key)
  t.equal(adopted.metadata.uid, uid, 'neither deleted nor duplicated')
  t.strictSame(
    adopted.metadata.ownerReferences?.map((one) => one.uid),
    [restored.metadata.uid],
  )
  t.equal(adopted.metadata.labels?.['cache.my.domain/owner-uid'], restored.metadata.uid)
  const { status } = await client.get(backups, weekly)
  t.match(
    status?.conditions?.find(({ type }) => type === 'Stalled'),
    { reason: 'NameConflict' },
  )
})

void t.test(
  'an object with a reference to the earlier primary is left to the garbage collector',
  async (t) => {
    const { client, start } = await cluster(t)
    const options = applying('all', { owns: [owned(deployments, { adopt: 'by-label' })] })
    await client.create(backups, backup(2))
    const before = await start('memcached-operator', options)
    const { uid } = (await client.get(deployments, key)).metadata
    await before.stop()
    await client.delete(backups, key)
    await client.create(backups, backup(2))
    await start('memcached-operator', options)
    while ((await client.get(deployments, key).catch(() => undefined))?.metadata.uid === uid) await nextTurn()
    t.pass('the old one goes')
  },
)

void t.test('only entries of the same version and subresource are taken over', (t) => {
  const entry = (manager: string, more: object = {}) => ({
    manager,
    operation: 'Update',
    apiVersion: 'apps/v1',
    fieldsV1: { 'f:spec': { [`f:${manager}`]: {} } },
    ...more,
  })
  const options = { renamed: new Map([['old', 'new']]), apiVersion: 'apps/v1' }
  const others = [entry('old', { apiVersion: 'apps/v1beta1' }), entry('old', { subresource: 'status' })]
  const live = (managedFields: unknown[]) => ({
    metadata: { name: 'a', resourceVersion: '7', managedFields },
  })
  t.equal(takeOver(live(others), options), undefined)
  const own = entry('new', { operation: 'Apply' })
  t.strictSame(takeOver(live([...others, own, entry('old')]), options), [
    {
      op: 'replace',
      path: '/metadata/managedFields',
      value: [...others, { ...own, fieldsV1: { 'f:spec': { 'f:new': {}, 'f:old': {} } } }],
    },
    { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
  ])
  t.end()
})
