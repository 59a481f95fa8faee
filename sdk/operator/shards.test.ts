import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { VirtualClock } from '../../testing/clock/virtual-clock.js'
import { SimulatedProcess } from '../../testing/faults/simulated-process.js'
import { grantDeclared, impersonate, operatorUser } from '../../testing/operator/declared-permissions.js'
import { isWrite, targetOf } from '../../testing/requests/request-target.js'
import { createClient } from '../engine/client/create-client.js'
import { customResourceDefinitions, deployments, leases, namespaces } from '../engine/kube/builtin.js'
import { silentLogger } from '../engine/observe/logger.js'
import type { Transport } from '../engine/transport/transport.js'
import { backup, backupDefinition, backups, memcached } from './backups.fixture.js'
import { createOperator } from './create-operator.js'
import { controller } from './engine/controller.js'
import { createInternalOperator } from './operator-runtime.js'

const name = 'memcached-operator'
const shards = 4
const tenants = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** Records which replica wrote for which namespace, and cuts the requests of a process that was killed. */
function recording(
  inner: Transport,
  process: SimulatedProcess,
  onWrite: (namespace: string) => void,
): Transport {
  return {
    request: async (request) => {
      await process.whileAlive(undefined)
      const { plural, namespace } = targetOf(request.path) ?? {}
      const response = await inner.request(request)
      if (isWrite(request) && plural === 'deployments') onWrite(namespace ?? '')
      return process.whileAlive(response)
    },
    stream: async (request) => {
      const stream = await inner.stream(await process.whileAlive(request))
      return { ...stream, chunks: process.chunksWhileAlive(stream.chunks) }
    },
    close: () => inner.close(),
  }
}

void t.test('two replicas share the namespaces, and one takes over those of the other', async (t) => {
  const clock = new VirtualClock()
  const server = await createApiServer({ clock, authorization: 'rbac' })
  t.teardown(() => server.close())
  const client = createClient({ transport: inProcessTransport(server) })
  await client.create(customResourceDefinitions, backupDefinition)
  for (const tenant of tenants) await client.create(namespaces, { metadata: { name: tenant } })
  const user = operatorUser(name)
  const writers = new Map<string, Set<string>>()
  const start = async (replica: string) => {
    const process = new SimulatedProcess(clock)
    const onWrite = (namespace: string) => {
      writers.set(namespace, (writers.get(namespace) ?? new Set()).add(replica))
    }
    const transport = recording(impersonate(inProcessTransport(server), user), process, onWrite)
    const operator = createInternalOperator({
      name,
      shards,
      env: {},
      logger: silentLogger,
      clock: process.clock,
      openClusters: async () => ({ transports: new Map([['main', transport]]) }),
      leaseNamespace: 'default',
      containsRejections: false,
    })
    operator.register(controller(backups, memcached))
    const description = await operator.describe()
    if (replica === 'one') await grantDeclared(client, { description, cluster: 'main', user })
    operator.start().catch(() => process.kill())
    return process
  }
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) {
      for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
      await clock.advance(500)
    }
  }
  const replicasOf = async () =>
    (await client.listAll(deployments)).items.map(
      ({ metadata, spec }) => `${metadata.namespace} ${spec?.replicas}`,
    )
  const one = await start('one')
  const two = await start('two')
  t.teardown(() => two.kill())
  await pass(10_000)
  const key = (namespace: string) => ({ namespace, name: 'daily' })
  for (const tenant of tenants) await client.create(backups, { ...backup(1), metadata: key(tenant) })
  await pass(2000)
  t.same(
    await replicasOf(),
    tenants.map((tenant) => `${tenant} 1`),
  )
  t.same(
    [...writers.values()].filter((of) => of.size !== 1),
    [],
    'one replica writes for a namespace',
  )
  t.same(
    new Set([...writers.values()].flatMap((of) => [...of])),
    new Set(['one', 'two']),
    'both replicas write',
  )
  const held = (await client.list(leases)).items.map(({ metadata }) => metadata.name)
  t.ok(held.includes(name) && held.includes(`${name}-shard-3`), held.join())

  one.kill()
  const grow = { type: 'merge', body: { spec: { size: 3 } } } as const
  for (const tenant of tenants) await client.patch(backups, key(tenant), grow)
  await pass(22_000)
  t.same(
    await replicasOf(),
    tenants.map((tenant) => `${tenant} 3`),
  )
})

void t.test('options that need one leader of everything are refused', async (t) => {
  const options = { name, env: {} }
  const code = 'INVALID_SHARDS'
  t.throws(() => createOperator({ ...options, shards: 65 }), {
    code,
    message: /integer from 1 to 64, got 65/,
  })
  t.throws(() => createOperator({ ...options, shards: 2, leaderElection: false }), { code })
  t.throws(
    () => createOperator({ ...options, shards: 2, webhooks: { certificate: 'selfSigned' } as never }),
    {
      code,
      message: /cert-manager/,
    },
  )
  const operator = createOperator({ ...options, shards: 2 })
  const turns = controller(backups, { ...memcached, serializeBy: () => 'account' })
  t.throws(() => operator.register(turns), { code: 'INVALID_REGISTRATION', message: /serializeBy/ })
})
