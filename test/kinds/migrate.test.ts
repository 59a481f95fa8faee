// `crd migrate` moves every object to the storage version, on the embedded API server and on a real one.
import t, { type Test } from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { migrate } from '../../cli/crd/run-migrate.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { resourceOf } from '../../sdk/engine/cluster/definition.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../../sdk/engine/kube/builtin.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { silentLogger } from '../../sdk/engine/observe/logger.js'
import { noMetrics } from '../../sdk/engine/observe/metrics.js'
import { systemClock } from '../../sdk/engine/time/clock.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { VirtualClock } from '../../testing/clock/virtual-clock.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import { until } from '../until.js'
import { type Car, writeBusily } from './busy-writers.js'

const name = 'cars.migrate.example.com'
const key = { namespace: '', name }
const count = 20

/** A definition with two versions, of which one is stored. */
function definition(storage: 'v1' | 'v2', versions = ['v1', 'v2']): CustomResourceDefinition {
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { wheels: { type: 'integer' } } } },
    },
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: 'migrate.example.com',
      names: { kind: 'Car', plural: 'cars' },
      scope: 'Namespaced',
      versions: versions.map((version) => ({
        name: version,
        served: true,
        storage: version === storage,
        schema,
      })),
    },
  }
}

async function replaceSpec(client: Client, spec: CustomResourceDefinition['spec']): Promise<void> {
  await client.patch(customResourceDefinitions, key, { type: 'merge', body: { spec } })
}

async function createCar(client: Client, n: number): Promise<void> {
  const object = { metadata: { name: `car-${n}`, namespace: 'default' }, spec: { wheels: n } }
  await client.create(resourceOf(definition('v1')), {
    apiVersion: 'migrate.example.com/v1',
    kind: 'Car',
    ...object,
  })
}

async function migrates(t: Test, client: Client): Promise<void> {
  const v1 = resourceOf(definition('v1'))
  await client.create(customResourceDefinitions, definition('v1'))
  await until(async () => (await client.list(v1)).items.length === 0)
  for (let n = 0; n < count; n++) await createCar(client, n)
  await replaceSpec(client, definition('v2').spec)
  const stored = async () => (await client.get(customResourceDefinitions, key)).status?.storedVersions
  await until(async () => String(await stored()) === 'v1,v2')
  await t.rejects(replaceSpec(client, definition('v2', ['v2']).spec), /storedVersions/, 'v1 cannot go yet')

  const v2 = resourceOf(definition('v2'))
  const versions = async () => {
    const { items } = await client.listAll(v2)
    return new Map(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]))
  }
  const busy = writeBusily(client, [v1, v2] as Resource<Car>[])
  t.teardown(() => busy.stop().catch(() => {}))
  // Another writer changes and deletes objects meanwhile.
  const others = Promise.all([
    client.patch(
      v2,
      { namespace: 'default', name: 'car-3' },
      { type: 'merge', body: { spec: { wheels: 300 } } },
    ),
    client.delete(v2, { namespace: 'default', name: 'car-4' }),
  ])
  const before = await versions()
  t.match(await migrate(client, name, { settleMs: 3000 }), { storage: 'v2' })
  await others
  t.same(await stored(), ['v2'])
  const { writes, wheels: busyWheels } = await busy.stop()
  t.ok(writes >= 20, `${writes} writes meanwhile`)
  const after = await versions()
  t.same(
    [...after].filter(([name = '', version]) => name !== 'car-3' && before.get(name) === version),
    [],
    'every object without another write was stored again',
  )
  t.match(
    await migrate(client, name, { settleMs: 3000 }),
    { written: count - 1 + busyWheels.size, storage: 'v2' },
    'it can be run again',
  )
  t.same(await versions(), after, 'which stores nothing')

  await replaceSpec(client, definition('v2', ['v2']).spec)
  await until(
    async () =>
      !(await client.get(customResourceDefinitions, key)).spec.versions.some(({ name }) => name === 'v1'),
  )
  const { items } = await client.listAll(v2 as Resource<Car>)
  const wheels = new Map(items.map(({ metadata, spec }) => [metadata.name, spec.wheels]))
  for (const [name, n] of busyWheels) t.equal(wheels.get(name), n, `${name} is as it was written last`)
  t.same(
    [...wheels]
      .filter(([name]) => name?.startsWith('car-'))
      .map(([, n]) => n)
      .sort((a, b) => a - b),
    [0, 1, 2, ...Array.from({ length: count - 5 }, (_, n) => n + 5), 300],
  )
  t.equal(wheels.size, count - 1 + busyWheels.size)
}

void t.test('the embedded API server stores every object in the new version', async (t) => {
  const server = await createApiServer()
  t.teardown(() => server.close())
  await migrates(t, createClient({ transport: inProcessTransport(server) }))
})

void t.test('a migration that dies at any write goes on when it is run again', async (t) => {
  const server = await createApiServer()
  t.teardown(() => server.close())
  const inner = inProcessTransport(server)
  const client = createClient({ transport: inner })
  await client.create(customResourceDefinitions, definition('v1'))
  await until(async () => (await client.list(resourceOf(definition('v1')))).items.length === 0)
  for (let n = 0; n < 3; n++) await createCar(client, n)
  const stored = async () => (await client.get(customResourceDefinitions, key)).status?.storedVersions
  await replaceSpec(client, definition('v2').spec)
  await until(async () => String(await stored()) === 'v1,v2')
  /** Fails after so many writes: before the last one is sent, or when it is stored. */
  const dying = (writes: number, isStored: boolean): Transport => {
    let left = writes
    return {
      stream: (request) => inner.stream(request),
      close: () => inner.close(),
      request: async (request) => {
        if (request.method === 'GET') return inner.request(request)
        left--
        if (left === 0 && isStored) await inner.request(request)
        if (left <= 0) throw new Error('the process died')
        return inner.request(request)
      },
    }
  }
  for (const isStored of [false, true])
    for (let writes = 1; writes <= 3; writes++) {
      const transport = dying(writes, isStored)
      await t.rejects(migrate(createClient({ transport }), name, { settleMs: 0 }), /the process died/)
      t.same(await stored(), ['v1', 'v2'], 'no version is taken out before all objects were written')
    }
  t.match(await migrate(client, name, { settleMs: 0 }), { written: 3, storage: 'v2' })
  t.same(await stored(), ['v2'])
})

void t.test('a migration waits no longer because the clock of the machine is behind', async (t) => {
  const server = await createApiServer()
  t.teardown(() => server.close())
  const client = createClient({ transport: inProcessTransport(server) })
  await client.create(customResourceDefinitions, definition('v1'))
  await until(async () => (await client.list(resourceOf(definition('v1')))).items.length === 0)
  const clock = new VirtualClock(new Date('2001-01-01T00:00:00Z'))
  const migration = migrate(client, name, { settleMs: 5000, clock })
  await until(async () => clock.pending > 0)
  t.equal(clock.dueInMs, 5000)
  await clock.advance(clock.dueInMs)
  t.match(await migration, { written: 0 })
})

const skip = missingAssets()

void t.test(
  'a real API server stores every object in the new version',
  { skip, timeout: 600_000 },
  async (t) => {
    const real = await startRealCluster()
    t.teardown(() => real.stop())
    const kubeconfig = await loadKubeconfig({ file: real.kubeconfigFile })
    const observed = { logger: silentLogger, metrics: noMetrics, clock: systemClock }
    const transport = createTransport({ kubeconfig, cluster: 'host', userAgent: 'test', ...observed })
    t.teardown(() => transport.close())
    await migrates(t, createClient({ transport }))
  },
)
