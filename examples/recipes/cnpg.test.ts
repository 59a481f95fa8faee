// Runs each recipe for plugins of CloudNativePG once with a simulated operator.
import t from 'tap'
import type { CnpgPlugin } from 'vcluster-plugin-sdk/cnpg'
import { testCnpgOperator, testCnpgPlugin } from 'vcluster-plugin-sdk/cnpg/testing'

const name = 'recipes.my.domain'
const cluster = (spec: object = {}) => ({
  metadata: { name: 'db' },
  spec: { instances: 1, plugins: [{ name, parameters: { team: 'shop' } }], ...spec },
})

async function start(recipe: string) {
  const { register } = (await import(`./${recipe}.ts`)) as { register(plugin: CnpgPlugin): void }
  const plugin = testCnpgPlugin({ name, version: '0.1.0' })
  register(plugin)
  return testCnpgOperator(plugin)
}

void t.test('limit instances', async (t) => {
  const operator = await start('limit-instances')
  await t.rejects(operator.create(cluster({ instances: 4 })), { message: /spec\.instances may be 3 at most/ })
  await operator.create(cluster({ instances: 3 }))
  const grow = operator.change(({ spec }) => {
    spec.instances = 5
  })
  await t.rejects(grow, { message: /spec\.instances may be 3 at most/ })
})

void t.test('log sidecar', async (t) => {
  const operator = await start('log-sidecar')
  await operator.create(cluster())
  const { containers = [], initContainers = [] } = operator.pods[0]?.spec ?? {}
  t.ok([...containers, ...initContainers].some((container) => container.name === 'logs'))
  await operator.reconcile()
  t.same(operator.rollouts, [])
})

void t.test('label volumes', async (t) => {
  const operator = await start('label-volumes')
  await operator.create(cluster())
  const claims = [...operator.objects.values()].filter(({ kind }) => kind === 'PersistentVolumeClaim')
  t.equal(claims.length, 1)
  t.equal(claims[0]?.metadata.labels?.['recipes.my.domain/team'], 'shop')
})

void t.test('report a status', async (t) => {
  const operator = await start('report-a-status')
  await operator.create(cluster())
  t.match(operator.cluster?.status?.pluginStatus, [{ status: '{"team":"shop"}' }])
})
