import t from 'tap'
import { configMaps, deployments, events } from '../../sdk/engine/kube/builtin.js'
import { silentLogger } from '../../sdk/engine/observe/logger.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { Backup } from '../../sdk/operator/backups.fixture.js'
import { backup, backupDefinition, backups, key, memcached } from '../../sdk/operator/backups.fixture.js'
import type { ControllerOptions } from '../../sdk/operator/controller/definition.js'
import { controller } from '../../sdk/operator/engine/controller.js'
import type { Operator } from '../../sdk/operator/operator.js'
import { testOperator } from './test-operator.js'

const restricted = async (t: Tap, options: ControllerOptions<Backup>) => {
  const test = await testOperator((operator) => operator.register(controller(backups, options)), {
    definitions: [backupDefinition],
    logger: silentLogger,
    permissions: 'declared',
  })
  t.teardown(() => test.stop())
  return test
}
type Tap = { teardown(done: () => Promise<void>): void }

void t.test('an operator works with exactly the permissions that it declares', async (t) => {
  const { client, settled, setReady } = await restricted(t, {
    ...memcached,
    reconcile: async (ctx, object) => {
      await memcached.reconcile(ctx, object)
      ctx.events.normal('Reconciled', 'done')
    },
    finalize: () => {},
  })
  await client.create(backups, backup(2))
  await settled()
  await setReady({ metadata: key })
  await settled()
  t.match((await client.get(backups, key)).status?.conditions, [{ type: 'Available', status: 'True' }])
  t.match((await client.list(events)).items, [{ reason: 'Reconciled' }])
  await client.delete(backups, key)
  await settled()
  await t.rejects(client.get(deployments, key), /not found/)
})

void t.test('workloads become ready by themselves if the test says so', async (t) => {
  const { client, settled, stop } = await testOperator(
    (operator) => operator.register(controller(backups, memcached)),
    { definitions: [backupDefinition], runWorkloads: true },
  )
  t.teardown(stop)
  await client.create(backups, backup(2))
  await settled()
  t.match((await client.get(deployments, key)).status, { readyReplicas: 2 })
  t.match((await client.get(backups, key)).status?.conditions, [{ type: 'Available', status: 'True' }])
})

void t.test('nothing runs any more after an operator that cannot be registered', async (t) => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const register = () => {
    throw new Error('no chart')
  }
  await t.rejects(testOperator(register, { runWorkloads: true }), { message: 'no chart' })
  await new Promise((resolve) => setImmediate(resolve))
  t.ok(timers() <= before, `${timers()} timers, ${before} before`)
})

void t.test('an operator that does not come to run is stopped before its test fails', async (t) => {
  let isClosed = false
  const wrap = (transport: Transport): Transport => ({
    stream: (request) => transport.stream(request),
    request: (request) => transport.request(request),
    close: async () => {
      await transport.close()
      isClosed = true
    },
  })
  const register = (operator: Operator) => {
    operator.register(controller(backups, memcached))
    operator.whenRunning = () => Promise.reject(new Error('out of order'))
  }
  const options = { definitions: [backupDefinition], logger: silentLogger, wrap }
  await t.rejects(testOperator(register, options), { message: 'out of order' })
  t.ok(isClosed)
})

void t.test('a call that no controller declares is forbidden', async (t) => {
  const errors: unknown[] = []
  const { client, settled } = await restricted(t, {
    async reconcile(ctx) {
      await ctx.client.get(configMaps, key).catch((error: unknown) => errors.push(error))
    },
  })
  await client.create(backups, backup(2))
  await settled()
  t.match(
    String(errors[0]),
    /cannot get resource "configmaps" .*; no controller declares this permission: list it in "permissions"/,
  )
})

void t.test(
  'a second operator on a server has the permissions that it declares, and no others',
  async (t) => {
    const first = await restricted(t, {
      permissions: [{ resource: configMaps, verbs: ['get'], namespace: 'kube-system' }],
      reconcile: () => {},
    })
    await first.stop()
    const errors: unknown[] = []
    const read = controller(backups, {
      permissions: [{ resource: configMaps, verbs: ['get'], namespace: 'default' }],
      async reconcile(ctx) {
        for (const namespace of ['default', 'kube-system'])
          await ctx.client.get(configMaps, { ...key, namespace }).catch((error) => errors.push(error))
      },
    })
    const second = await testOperator((operator) => operator.register(read), {
      logger: silentLogger,
      permissions: 'declared',
      servers: { main: first.server },
    })
    t.teardown(() => second.stop())
    await second.client.create(backups, backup(2))
    await second.settled()
    t.match(errors, [{ code: 404 }, { code: 403 }])
  },
)

void t.test('an operator that never settles fails its test with the controller and what to do', async (t) => {
  const waits = controller(backups, { reconcile: () => ({ requeueAfterMs: 10 }) })
  const test = await testOperator((operator) => operator.register(waits), { definitions: [backupDefinition] })
  t.teardown(() => test.stop())
  await test.client.create(backups, backup(1))
  await t.rejects(test.settled(), {
    code: 'NOT_SETTLED',
    message:
      /^the operator does not settle: controller backups asked \d+ times in a row to run again soon for default\/daily, .* call setReady, or pass runWorkloads\.$/,
  })
})
