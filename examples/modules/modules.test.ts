import t from 'tap'
import { type Client, deployments, services } from 'vcluster-plugin-sdk'
import { type Module, modules, workspaces } from 'vcluster-plugin-sdk/modules'
import { crdOf } from 'vcluster-plugin-sdk/operator'
import { exhaust, operatorScenario, testOperator } from 'vcluster-plugin-sdk/testing'
import { register } from './register.js'

const definitions = [crdOf(modules), crdOf(workspaces)]
const dev = { namespace: 'default', name: 'dev' }
const shop = { namespace: 'default', name: 'shop' }

/** A Module of the program that is part of the operator. */
const shopModule: Module = {
  metadata: { ...shop },
  spec: {
    workspace: { name: dev.name, namespace: dev.namespace },
    hibernated: false,
    config: { appName: 'shop', replicas: 3 },
    source: {
      raw: {
        kind: 'Web',
        metadata: { name: 'web', version: '1.0.0' },
        config: [
          { name: 'Name', alias: 'appName', string: { required: true } },
          { name: 'Replicas', alias: 'replicas', integer: { default: 1, min: 1 } },
        ],
      },
    },
  },
}

const createWorkspace = ({ client }: { client: Client }) =>
  client.create(workspaces, { metadata: { ...dev }, spec: {} } as never)
const replicasOf = async (client: Client) => (await client.get(deployments, shop)).spec?.replicas

void t.test('a Module is installed, sleeps and wakes with its Workspace, and is uninstalled', async (t) => {
  const { client, settled, stop } = await testOperator((operator) => register(operator), { definitions })
  t.teardown(stop)
  await createWorkspace({ client })
  await client.create(modules, shopModule)
  await settled()
  t.equal((await client.get(modules, shop)).status?.phase, 'ready')
  t.equal(await replicasOf(client), 3)
  for (const [hibernated, phase, replicas] of [
    [true, 'sleeped', 0],
    [false, 'ready', 3],
  ] as const) {
    await client.patch(workspaces, dev, { type: 'merge', body: { spec: { hibernated } } })
    await settled()
    t.equal((await client.get(modules, shop)).status?.phase, phase)
    t.equal(await replicasOf(client), replicas)
  }
  await client.delete(modules, shop)
  await settled()
  await t.rejects(client.get(modules, shop), { code: 404 })
  await t.rejects(client.get(deployments, shop), { code: 404 })
  await t.rejects(client.get(services, shop), { code: 404 })
})

void t.test('a configuration that does not fit is refused with all reasons', async (t) => {
  const { client, settled, stop } = await testOperator((operator) => register(operator), { definitions })
  t.teardown(stop)
  await createWorkspace({ client })
  const { spec } = shopModule
  await client.create(modules, { ...shopModule, spec: { ...spec, config: { replicas: 0, appname: 'shop' } } })
  await settled()
  const { status } = await client.get(modules, shop)
  t.equal(status?.phase, 'failed')
  t.match(status?.message, /appName.*replicas/s)
})

void t.test('a crash before or after any write has the same end', async (t) => {
  const scenario = operatorScenario({
    register: (operator) => register(operator),
    definitions,
    before: createWorkspace,
    steps: {
      'a Module is created': ({ client }) => client.create(modules, shopModule),
      'it is deleted': ({ client }) => client.delete(modules, shop),
    },
    writesPerChange: 12,
  })
  const { missed, writes, runs } = await exhaust(scenario, { faults: ['crashes'] })
  t.strictSame(missed, [], 'every crash was injected')
  t.comment(`${writes.length} writes, ${runs} crashes`)
})
