import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { VirtualClock } from '../../testing/clock/virtual-clock.js'
import { errorResponse } from '../../testing/faults/error-response.js'
import { testOperator } from '../../testing/operator/test-operator.js'
import type { Client } from '../engine/client/client.js'
import {
  configMaps,
  customResourceDefinitions,
  deployments,
  events,
  namespaces,
} from '../engine/kube/builtin.js'
import type { Key } from '../engine/kube/key.js'
import type { KubeObject } from '../engine/kube/object.js'
import type { Resource } from '../engine/kube/resource.js'
import { type Logger, silentLogger } from '../engine/observe/logger.js'
import type { Transport } from '../engine/transport/transport.js'
import {
  type Backup,
  backup,
  backupDefinition,
  backups,
  deploymentFor,
  key,
  memcached,
} from './backups.fixture.js'
import type { ControllerOptions } from './controller/definition.js'
import { owned } from './controller/owned.js'
import { byField, byLabel, watch } from './controller/watch.js'
import { createOperator } from './create-operator.js'
import { controller } from './engine/controller.js'
import { merge, recordedOperator } from './recorded-operator.fixture.js'

const deploymentPath = '/apis/apps/v1/namespaces/default/deployments/daily'
const statusPath = '/apis/cache.my.domain/v1/namespaces/default/backups/daily/status'
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

async function isThere<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  at: Key,
): Promise<boolean> {
  return client.get(resource, at).then(
    () => true,
    () => false,
  )
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await nextTurn()
}

/** An older definition of the kind, which let everything pass. */
async function installLooseDefinition(client: Client): Promise<void> {
  const loose = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const versions = backupDefinition.spec.versions.map((version) => ({
    ...version,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: loose, status: loose } } },
  }))
  const { name = '' } = backupDefinition.metadata
  await client.patch(customResourceDefinitions, { namespace: '', name }, merge({ spec: { versions } }))
}

void t.test(
  'a new object costs one apply and one status patch, and a second start writes nothing',
  async (t) => {
    const first = await recordedOperator(t, memcached)
    await first.client.create(backups, backup(3))
    await first.settled()
    t.same(first.writes, [`PATCH ${deploymentPath}`, `PATCH ${statusPath}`])
    const live = await first.client.get(backups, key)
    t.match(live.status, {
      nodes: ['a'],
      observedGeneration: 1,
      conditions: [{ type: 'Available', status: 'False', reason: 'DeploymentReady', observedGeneration: 1 }],
    })
    const deployment = await first.client.get(deployments, key)
    t.match(deployment.metadata.ownerReferences, [
      { kind: 'Backup', name: 'daily', uid: live.metadata.uid, controller: true, blockOwnerDeletion: true },
    ])
    await first.stop()
    const second = await recordedOperator(t, memcached, { servers: { main: first.server } })
    t.same(second.writes, [])
  },
)

void t.test('the Deployment follows the object', async (t) => {
  const clock = new VirtualClock()
  const servers = { main: await createApiServer({ clock }) }
  const { client, settled, setReady, writes } = await recordedOperator(t, memcached, { clock, servers })
  const available = async () => {
    const { status } = await client.get(backups, key)
    const condition = status?.conditions?.find(({ type }) => type === 'Available')
    return [condition?.status, condition?.lastTransitionTime, status?.observedGeneration]
  }
  const later = async () => {
    await clock.advance(60_000)
    return clock.date().toISOString().replace('.000', '')
  }
  await client.create(backups, backup(3))
  await settled()
  for (const [size, generation] of [
    [3, 1],
    [5, 2],
    [0, 3],
  ] as const) {
    const resized = await later()
    if (generation > 1) {
      writes.length = 0
      await client.patch(backups, key, merge({ spec: { size } }))
      await settled()
      t.same(writes, [`PATCH ${deploymentPath}`, `PATCH ${statusPath}`])
      t.equal((await client.get(deployments, key)).spec?.replicas, size)
      t.same(await available(), ['False', resized, generation])
    }
    const becameReady = await later()
    writes.length = 0
    await setReady({ metadata: key })
    await settled()
    t.same(writes, [`PATCH ${statusPath}`], `${size} nodes`)
    t.same(await available(), ['True', becameReady, generation])
  }
})

void t.test('a hand edit of an intended field is undone with one write, other fields stay', async (t) => {
  const { client, settled, writes } = await recordedOperator(t, memcached)
  await client.create(backups, backup(3))
  await settled()
  writes.length = 0
  const edit = { spec: { replicas: 1, paused: true }, metadata: { labels: { mine: 'yes' } } }
  await client.patch(deployments, key, merge(edit))
  await settled()
  const { metadata, spec } = await client.get(deployments, key)
  t.match({ metadata, spec }, { metadata: { labels: { mine: 'yes' } }, spec: { replicas: 3, paused: true } })
  t.same(writes, [`PATCH ${deploymentPath}`])
})

void t.test('a Deployment that is deleted is created again', async (t) => {
  const { client, settled } = await recordedOperator(t, memcached)
  await client.create(backups, backup(3))
  await settled()
  const before = await client.get(deployments, key)
  await client.delete(deployments, key)
  await settled()
  const after = await client.get(deployments, key)
  t.not(after.metadata.uid, before.metadata.uid)
  t.match(after.metadata.ownerReferences, before.metadata.ownerReferences ?? [])
})

void t.test('an object that is deleted and created again gets a Deployment of its own', async (t) => {
  const { client, settled } = await recordedOperator(t, memcached)
  await client.create(backups, backup(3))
  await settled()
  await client.delete(backups, key)
  await client.create(backups, backup(2))
  await settled()
  const [object, deployment] = [await client.get(backups, key), await client.get(deployments, key)]
  t.match(deployment.metadata.ownerReferences, [{ uid: object.metadata.uid }])
  t.equal(deployment.spec?.replicas, 2)
})

void t.test(
  'an object that is created again during a run gets nothing of the status of that run',
  async (t) => {
    let first: string | undefined
    const { client, settled } = await recordedOperator(t, {
      async reconcile(ctx, { metadata }) {
        first ??= metadata.uid
        if (metadata.uid !== first) return
        await client.delete(backups, key)
        await client.create(backups, backup(2))
        ctx.status.nodes = ['of-the-first']
      },
    })
    await client.create(backups, backup(3))
    await settled()
    const { metadata, status } = await client.get(backups, key)
    t.not(metadata.uid, first)
    t.match(status, { nodes: undefined, observedGeneration: 1 })
  },
)

void t.test('a foreign object under the name is left alone, and the key runs when it leaves', async (t) => {
  const { client, settled, writes } = await recordedOperator(t, memcached)
  await client.create(deployments, { ...deploymentFor(backup(1)), metadata: { ...key } })
  await client.create(backups, backup(3))
  await settled()
  t.equal((await client.get(deployments, key)).spec?.replicas, 1)
  t.notOk(writes.some((write) => write.endsWith('deployments/daily')))
  t.match((await client.get(backups, key)).status?.conditions, [
    {},
    { type: 'Stalled', reason: 'NameConflict' },
  ])
  t.match((await client.list(events)).items, [{ type: 'Warning', reason: 'NameConflict' }])
  await client.delete(deployments, key)
  await settled()
  t.equal((await client.get(deployments, key)).spec?.replicas, 3)
})

void t.test('an object without an owner is taken over only where that is declared', async (t) => {
  const adopt = (live: KubeObject) => live.metadata.labels?.backup === 'daily'
  const { client, settled } = await recordedOperator(t, {
    ...memcached,
    owns: [owned(deployments, { adopt })],
  })
  const foreign = deploymentFor(backup(1))
  await client.create(deployments, { ...foreign, metadata: { ...key, labels: { backup: 'daily' } } })
  await client.create(backups, backup(3))
  await settled()
  const { metadata, spec } = await client.get(deployments, key)
  t.equal(spec?.replicas, 3)
  t.match(metadata.ownerReferences, [{ kind: 'Backup', controller: true }])
})

void t.test(
  'an object that a run no longer applies is deleted, unless it has the keep annotation',
  async (t) => {
    const names = ['one', 'two', 'three']
    const { client, settled } = await recordedOperator(t, {
      owns: [configMaps],
      async reconcile(ctx, { spec }) {
        for (const name of names.slice(0, spec.size)) await ctx.apply(configMaps, { metadata: { name } })
      },
    })
    await client.create(backups, backup(3))
    await settled()
    const kept = { metadata: { annotations: { 'cache.my.domain/keep': 'true' } } }
    await client.patch(configMaps, { ...key, name: 'three' }, merge(kept))
    await client.create(configMaps, { metadata: { ...key, name: 'foreign' } })
    await client.patch(backups, key, merge({ spec: { size: 1 } }))
    await settled()
    const there = await Promise.all(
      [...names, 'foreign'].map((name) => isThere(client, configMaps, { ...key, name })),
    )
    t.same(there, [true, false, true, true])
  },
)

void t.test('nothing is deleted after a run that failed', async (t) => {
  let fails = false
  const { client, settled } = await recordedOperator(t, {
    owns: [configMaps],
    async reconcile(ctx) {
      if (fails) throw new Error('the cloud is away')
      await ctx.apply(configMaps, { metadata: { name: 'one' } })
    },
  })
  await client.create(backups, backup(1))
  await settled()
  fails = true
  await client.patch(backups, key, merge({ spec: { size: 2 } }))
  for (let turn = 0; turn < 50; turn++) await nextTurn()
  t.ok(await isThere(client, configMaps, { ...key, name: 'one' }))
})

void t.test('a finalizer is there before reconcile runs, and goes when finalize succeeds', async (t) => {
  const seen: unknown[] = []
  let isStuck = true
  const { client, settled } = await recordedOperator(t, {
    reconcile: (_ctx, { metadata }) => void seen.push(metadata.finalizers),
    finalize: () => {
      if (isStuck) throw new Error('the cloud is away')
    },
  })
  await client.create(backups, backup(1))
  await settled()
  t.same(new Set(seen.flat()), new Set(['cache.my.domain/backups']))
  const runs = seen.length
  await client.delete(backups, key)
  for (let turn = 0; turn < 50; turn++) await nextTurn()
  t.ok(await isThere(client, backups, key), 'finalize failed, so the object stays')
  isStuck = false
  while (await isThere(client, backups, key)) await nextTurn()
  t.equal(seen.length, runs, 'an object that is being deleted is not reconciled')
})

void t.test(
  'objects in another namespace have labels in place of a reference, and go with their owner',
  async (t) => {
    const { client, settled } = await recordedOperator(t, {
      owns: [configMaps],
      async reconcile(ctx) {
        await ctx.apply(configMaps, { metadata: { namespace: 'other', name: 'one' } })
      },
    })
    await client.create(namespaces, { metadata: { name: 'other' } })
    await client.create(backups, backup(1))
    await settled()
    const at = { namespace: 'other', name: 'one' }
    const { metadata } = await client.get(configMaps, at)
    const owner = await client.get(backups, key)
    t.equal(metadata.ownerReferences, undefined)
    t.match(metadata.labels, { 'cache.my.domain/owner-uid': owner.metadata.uid })
    t.match(owner.metadata.finalizers, ['cache.my.domain/backups'])
    await client.delete(backups, key)
    await settled()
    t.notOk(await isThere(client, configMaps, at))
    t.notOk(await isThere(client, backups, key))
  },
)

void t.test('objects in another cluster go with their owner', async (t) => {
  const servers = { main: await createApiServer(), host: await createApiServer() }
  const { client, clientOf, settled } = await recordedOperator(
    t,
    {
      cluster: 'main',
      owns: [owned(configMaps, { cluster: 'host' })],
      async reconcile(ctx, { spec }) {
        await ctx
          .cluster('host')
          .apply(configMaps, { metadata: { name: 'one' }, data: { size: `${spec.size}` } })
      },
    },
    { servers },
  )
  const at = { namespace: 'default', name: 'one' }
  await client.create(backups, backup(1))
  await settled()
  t.match((await clientOf('host').get(configMaps, at)).data, { size: '1' })
  t.notOk(await isThere(client, configMaps, at))
  await clientOf('host').patch(configMaps, at, merge({ data: { size: '7' } }))
  await settled()
  t.match(
    (await clientOf('host').get(configMaps, at)).data,
    { size: '1' },
    'a change there runs the key here',
  )
  await client.delete(backups, key)
  await settled()
  t.notOk(await isThere(clientOf('host'), configMaps, at))
})

void t.test(
  'a watched object runs the keys that it is mapped to, and those that it was mapped to before',
  async (t) => {
    const runs: string[] = []
    const { client, settled } = await recordedOperator(t, {
      watches: [watch(configMaps, { keys: byLabel('backup') })],
      reconcile: (_ctx, { metadata }) => void runs.push(metadata.name ?? ''),
    })
    for (const name of ['daily', 'weekly'])
      await client.create(backups, { ...backup(1), metadata: { ...key, name } })
    await client.create(configMaps, { metadata: { ...key, name: 'settings', labels: { backup: 'daily' } } })
    await settled()
    runs.length = 0
    await client.patch(
      configMaps,
      { ...key, name: 'settings' },
      merge({ metadata: { labels: { backup: 'weekly' } } }),
    )
    await settled()
    t.same(runs.sort(), ['daily', 'weekly'])
  },
)

void t.test('a watched object runs the keys that name it in a field', async (t) => {
  const runs: string[] = []
  const { client, settled } = await recordedOperator(t, {
    watches: [watch(configMaps, { keys: byField('spec.settings') })],
    reconcile: (_ctx, { metadata }) => void runs.push(metadata.name ?? ''),
  })
  const named = (name: string, settings: string): Backup => ({
    metadata: { ...key, name },
    spec: { size: 1, settings },
  })
  await client.create(backups, named('daily', 'one'))
  await client.create(backups, named('weekly', 'two'))
  await settled()
  runs.length = 0
  await client.create(configMaps, { metadata: { ...key, name: 'two' } })
  await settled()
  t.same(runs, ['weekly'])
})

void t.test('a mapping that throws does no harm to other keys', async (t) => {
  const runs: string[] = []
  const keys = () => {
    throw new Error('a mistake')
  }
  const { client, settled } = await recordedOperator(t, {
    watches: [watch(configMaps, { keys })],
    reconcile: (_ctx, { metadata }) => void runs.push(metadata.name ?? ''),
  })
  await client.create(configMaps, { metadata: { ...key, name: 'settings' } })
  await client.create(backups, backup(1))
  await settled()
  t.ok(runs.includes('daily'))
})

void t.test('a paused object is left alone', async (t) => {
  const { client, settled, writes } = await recordedOperator(t, memcached)
  const annotations = { 'cache.my.domain/paused': 'true' }
  await client.create(backups, { ...backup(1), metadata: { ...key, annotations } })
  await settled()
  t.same(writes, [])
})

void t.test(
  'conditions of other controllers stay, and an undeclared one is an error that says so',
  async (t) => {
    const errors: unknown[] = []
    const { client, settled } = await recordedOperator(t, {
      reconcile(ctx) {
        ctx.condition('Available', true, 'Done')
        try {
          ctx.condition('Other', true, 'Done')
        } catch (error) {
          errors.push(error)
        }
      },
    })
    await client.create(backups, backup(1))
    await settled()
    const other = {
      type: 'Other',
      status: 'True',
      reason: 'Mine',
      message: '',
      lastTransitionTime: '2030-01-01T00:00:00Z',
    }
    const body = {
      apiVersion: 'cache.my.domain/v1',
      kind: 'Backup',
      metadata: key,
      status: { conditions: [other] },
    }
    await client.patch(backups, key, { type: 'apply', fieldManager: 'other', subresource: 'status', body })
    await client.patch(backups, key, merge({ spec: { size: 2 } }))
    await settled()
    const types = (await client.get(backups, key)).status?.conditions?.map(
      ({ type, status }) => `${type}=${status}`,
    )
    t.same(types?.sort(), ['Available=True', 'Other=True'])
    t.match(String(errors[0]), /condition Other is not declared.*declared: Available/)
  },
)

void t.test('a run that fails still writes its conditions', async (t) => {
  const errors: unknown[] = []
  const logger: Logger = {
    ...silentLogger,
    warn: ({ error }) => void errors.push(error),
    error: ({ error }) => void errors.push(error),
    child: () => logger,
  }
  let runs = 0
  const options: ControllerOptions<Backup> = {
    reconcile(ctx) {
      runs++
      ctx.condition('Available', false, 'CloudAway', 'the cloud does not answer')
      throw new Error('the cloud is away')
    },
  }
  const { client } = await recordedOperator(t, options, { logger })
  await client.create(backups, backup(1))
  const conditions = async () => (await client.get(backups, key)).status?.conditions
  while (!(await conditions())) await nextTurn()
  t.match(await conditions(), [{ type: 'Available', status: 'False', reason: 'CloudAway' }])
  while (runs < 2) await nextTurn()
  t.match(errors.join('\n'), 'the cloud is away', 'the run failed although its status was written')
})

void t.test('a run that fails keeps its error if its status cannot be written either', async (t) => {
  const errors: unknown[] = []
  const logger: Logger = {
    ...silentLogger,
    warn: ({ error }) => void errors.push(error),
    child: () => logger,
  }
  const options: ControllerOptions<Backup> = {
    reconcile(ctx) {
      ctx.condition('Available', false, 'CloudAway')
      throw new Error('the cloud is away')
    },
  }
  const refused: Transport['request'] = async () => errorResponse(500)
  const wrap = (inner: Transport): Transport => ({
    request: (request) => (request.path.includes('/status') ? refused : inner.request.bind(inner))(request),
    stream: (request) => inner.stream(request),
    close: () => inner.close(),
  })
  const test = await testOperator((operator) => operator.register(controller(backups, options)), {
    name: 'memcached-operator',
    definitions: [backupDefinition],
    logger,
    wrap,
  })
  t.teardown(() => test.stop())
  await test.client.create(backups, backup(1))
  while (!errors.some((error) => String(error).includes('the cloud is away'))) await nextTurn()
  t.equal((await test.client.get(backups, key)).status, undefined)
})

void t.test('an object that does not fit its schema is not reconciled, and can be deleted', async (t) => {
  const runs: unknown[] = []
  const { client } = await recordedOperator(t, {
    reconcile: (_ctx, { spec }) => void runs.push(spec.size),
    finalize: () => {},
  })
  await installLooseDefinition(client)
  const status = async () => JSON.stringify((await client.get(backups, key)).status ?? {})
  await client.create(backups, backup(3))
  await until(async () => runs.includes(3))
  await client.patch(backups, key, merge({ spec: { size: 'many' } }))
  await until(async () =>
    /"Valid","status":"False","reason":"SchemaMismatch".*spec\.size/.test(await status()),
  )
  await client.patch(backups, key, merge({ spec: { size: 4 } }))
  await until(async () => runs.includes(4) && !(await status()).includes('SchemaMismatch'))
  await client.patch(backups, key, merge({ spec: { size: 'many' } }))
  await client.delete(backups, key)
  await until(async () => !(await isThere(client, backups, key)))
  t.notOk(runs.includes('many'))
})

void t.test('a finalize that fails is said in a condition', async (t) => {
  const { client } = await recordedOperator(t, {
    reconcile: () => {},
    finalize: () => {
      throw new Error('request 4711: the cloud is away')
    },
  })
  await client.create(backups, backup(1))
  while (!(await client.get(backups, key)).metadata.finalizers) await nextTurn()
  await client.delete(backups, key)
  const found = async () => JSON.stringify((await client.get(backups, key)).status?.conditions ?? [])
  while (!(await found()).includes('FinalizeFailed')) await nextTurn()
  t.notMatch(await found(), '4711')
})

void t.test('applying a kind that is not declared says what to do', async (t) => {
  const errors: unknown[] = []
  const { client, settled } = await recordedOperator(t, {
    async reconcile(ctx) {
      await ctx.apply(configMaps, { metadata: { name: 'x' } }).catch((error: unknown) => errors.push(error))
      await ctx.apply(configMaps, { metadata: { name: 'x' }, data: { a: '1' } }, { shared: true })
    },
  })
  await client.create(backups, backup(1))
  await settled()
  t.match(String(errors[0]), /controller backups does not own configmaps of cluster main.*owns.*shared: true/)
  const { metadata, data } = await client.get(configMaps, { ...key, name: 'x' })
  t.same([data, metadata.ownerReferences], [{ a: '1' }, undefined])
})

void t.test('fields of others in a shared object are taken only for a reason', async (t) => {
  const errors: unknown[] = []
  const lines: string[] = []
  const logger: Logger = {
    ...silentLogger,
    info: (fields, message) => void lines.push(`${JSON.stringify(fields)} ${message}`),
    child: () => logger,
  }
  let force: string | undefined
  const options: ControllerOptions<Backup> = {
    async reconcile(ctx) {
      const shared = { metadata: { name: 'x' }, data: { a: 'ours' } }
      const options = { shared: true, ...(force !== undefined && { force }) }
      await ctx.apply(configMaps, shared, options).catch((error: unknown) => errors.push(error))
    },
  }
  const { client, settled } = await recordedOperator(t, options, { logger })
  const at = { ...key, name: 'x' }
  const theirs = { apiVersion: 'v1', kind: 'ConfigMap', metadata: at, data: { a: 'theirs' } }
  await client.patch(configMaps, at, { type: 'apply', fieldManager: 'autoscaler', body: theirs })
  await client.create(backups, backup(1))
  await settled()
  t.match(String(errors[0]), /configmaps default\/x was not changed.*data\.a.*autoscaler.*force/)
  t.equal((errors[0] as { status?: unknown }).status, undefined, 'a 409 would be tried again without a word')
  const takings = () => lines.filter((line) => line.endsWith('taking over fields'))
  t.same(takings(), [])
  force = 'the setting moved here'
  await client.patch(backups, key, merge({ spec: { size: 2 } }))
  await settled()
  t.same(takings(), [
    '{"object":"main configmaps default/x","force":"the setting moved here"} taking over fields',
  ])
  t.equal((await client.get(configMaps, at)).data?.a, 'ours')
})

void t.test('an object of others is applied without the members that its type requires', async (t) => {
  const { client, settled } = await recordedOperator(t, {
    async reconcile(ctx) {
      const some = { metadata: { name: 'other' }, spec: { settings: 'ours' } }
      // @ts-expect-error: `spec.size` is required for an object that the controller owns
      const owned = () => ctx.apply(backups, some)
      t.type(owned, 'function')
      const applied = await ctx.apply(backups, some, { shared: true })
      t.equal(applied.spec.size, 7)
      // @ts-expect-error: `spec.setting` is unknown
      const wrong = () => ctx.apply(backups, { ...some, spec: { setting: 'ours' } }, { shared: true })
      t.type(wrong, 'function')
    },
  })
  const other = { ...key, name: 'other' }
  await client.create(backups, { metadata: other, spec: { size: 7 } })
  await settled()
  t.strictSame((await client.get(backups, other)).spec, { size: 7, settings: 'ours' })
})

void t.test('a controller that shares its kind leaves the status fields of others alone', async (t) => {
  const { client, settled } = await recordedOperator(t, {
    shared: true,
    conditions: ['Available'],
    reconcile(ctx, { spec }) {
      if (spec.size === 2) ctx.status.nodes = ['ours']
      ctx.condition('Available', true, 'Done')
    },
  })
  await client.create(backups, backup(1))
  await settled()
  const nodes = (names: string[]) => ({
    ...merge({ status: { nodes: names } }),
    subresource: 'status' as const,
  })
  await client.patch(backups, key, nodes(['theirs']))
  await client.patch(backups, key, merge({ spec: { size: 3 } }))
  await settled()
  const { metadata, status } = await client.get(backups, key)
  t.match(status, { nodes: ['theirs'], conditions: [{ type: 'Available', status: 'True' }] })
  const ours = metadata.managedFields?.find((entry) => (entry as { operation: string }).operation === 'Apply')
  t.notMatch(JSON.stringify(ours), 'f:nodes')
  await client.patch(backups, key, merge({ spec: { size: 2 } }))
  for (let turn = 0; turn < 50; turn++) await nextTurn()
  t.same((await client.get(backups, key)).status?.nodes, ['theirs'])
})

void t.test('the error of a wrong registration names the problem', async (t) => {
  const operator = createOperator({ name: 'one', logger: silentLogger, env: { METRICS_ADDRESS: '0' } })
  operator.register(controller(backups, memcached))
  t.throws(
    () => operator.register(controller(backups, memcached)),
    /two controllers are named backups: give one of them another name, with its option name/,
  )
  const copied = { ...controller(backups, memcached), name: 'copied' }
  t.throws(() => operator.register(copied), {
    code: 'INVALID_REGISTRATION',
    message: /^copied is not a controller/,
  })
  const second = (options: Partial<ControllerOptions<Backup>>) =>
    controller(backups, { ...memcached, name: 'second', ...options })
  t.throws(() => operator.register(second({})), /backups and second both reconcile backups.*shared: true/)
  t.throws(() => operator.register(second({ shared: true })), /set shared: true in both/)
  const sharing = createOperator({ name: 'two', logger: silentLogger, env: { METRICS_ADDRESS: '0' } })
  sharing.register(controller(backups, { ...memcached, shared: true }))
  t.throws(() => sharing.register(second({ shared: true })), /write the condition Available/)
  const nodes = { shared: true, conditions: [], statusFields: ['nodes'] }
  sharing.register(second(nodes))
  t.throws(() => sharing.register(second({ ...nodes, name: 'third' })), /write status\.nodes/)
  const wrong = (options: Partial<ControllerOptions<Backup>>, problem: RegExp) =>
    t.throws(() => createOperator({ name: 'three' }).register(second(options)), problem)
  wrong({ namespaces: [] }, /second, its own kind: namespaces is empty/)
  wrong({ labelSelector: 'a in b' }, /unable to parse requirement: found 'b'/)
  const keys = () => []
  const watches = [watch(configMaps, { keys }), watch(configMaps, { labelSelector: 'a=b', keys })]
  wrong(
    { watches },
    /watches\[0\] and watches\[1\] see different configmaps: \{\} and \{"labelSelector":"a=b"\}/,
  )
  const whole = { ...nodes, name: 'fourth', watches: [watch(configMaps, { keys })] }
  const partial = { ...nodes, name: 'fifth', watches: [watch(configMaps, { metadataOnly: true, keys })] }
  const both = createOperator({ name: 'four', logger: silentLogger, env: { METRICS_ADDRESS: '0' } })
  both.register(second({ ...whole, statusFields: [] }))
  t.throws(
    () => both.register(second({ ...partial, statusFields: [] })),
    /configmaps are cached as metadata alone \(controller fifth, watches\[0\]\) and as whole objects \(controller fourth/,
  )
  const message = /^the name of the operator must be a DNS label, got "Not A Label"/
  t.throws(() => createOperator({ name: 'Not A Label' }), { code: 'INVALID_NAME', message })
  const elsewhere = recordedOperator(t, { ...memcached, cluster: 'elsewhere' })
  await t.rejects(elsewhere, /controller backups names the cluster "elsewhere": set cluster to one of main/)
})
