// Tests that a release contains only what its policy allows.
import t from 'tap'
import { testOperator } from '../../../testing/index.js'
import { configMaps } from '../../kube/builtin.js'
import { functionChart } from '../chart/function-chart.js'
import { configMap, key } from './greetings.fixture.js'
import { conditionOf, create, edit, find, history, register, start } from './reconciled.fixture.js'

void t.test('objects that the policy does not allow are refused before anything is written', async (t) => {
  const text = 'another namespace'
  const placedByUser = functionChart({ name: 'greeter', version: '1.0.0' }, ({ namespace }) => [
    configMap('good', { text }),
    {
      ...configMap('bad', { text }),
      metadata: { name: 'bad', ...(namespace ? { namespace: String(namespace) } : {}) },
    },
  ])
  const test = await start(t, { chart: placedByUser, allow: {} })
  await create(test, { namespace: 'kube-system' })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    status: 'True',
    reason: 'NotAllowed',
    message: /ConfigMap kube-system\/bad is in another namespace/,
  })
  t.notOk(await find(test, configMaps, 'good'))
  t.strictSame(await history(test), [])
  await edit(test, { spec: { namespace: null } })
  await test.settled()
  t.ok(await find(test, configMaps, 'good'))
  t.ok(await find(test, configMaps, 'bad'))
  t.not((await conditionOf(test, 'Irreconcilable'))?.status, 'True')
})

void t.test('a policy that became stricter ends the repair of objects', async (t) => {
  const before = await start(t)
  await create(before)
  await before.settled()
  await before.stop()
  const strict = register({ allow: { kinds: ['Secret'] } })
  const test = await testOperator(strict, { servers: { main: before.server } })
  t.teardown(() => test.stop())
  const body = { data: { text: 'edited' } }
  await test.client.patch(configMaps, key, { type: 'merge', body })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { reason: 'NotAllowed' })
  t.match(await find(test, configMaps), body)
})

void t.test('hooks count for the policy', async (t) => {
  const test = await start(t, { allow: { kinds: ['ConfigMap'] } })
  await create(test, { hook: 'pre-install' })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    reason: 'NotAllowed',
    message: /Pod default\/hello-hook/,
  })
  t.notOk(await find(test, configMaps))
})
