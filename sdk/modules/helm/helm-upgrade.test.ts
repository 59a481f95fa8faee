// Tests changes of a Module with a Helm release after its installation.
import t from 'tap'
import { configMaps, secrets } from '../../engine/kube/builtin.js'
import { modules } from '../kinds/module-kind.js'
import { startTimed } from '../module/modules.fixture.js'
import { createChart, find, helm, helmModule, historyOf, workloadsOf } from './helm.fixture.js'

const raw = { text: '{{ .config.text }}', password: '{{ randBase62 12 }}' }

void t.test('a change of the configuration or of the values is an upgrade of the release', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  await client.create(modules, helmModule({ values: [{ raw }] }, { config: { text: 'one' } }))
  await test.pass(2_000)
  t.match((await test.live()).status, { phase: 'ready', program: { methods: ['upgrade'] } })
  const password = (await find(client, secrets))?.data?.password
  t.ok(password)

  await test.change({ config: { text: 'two' } })
  await test.pass(2_000)
  t.match((await test.live()).status, { phase: 'ready', message: undefined })
  t.match(await find(client, configMaps), { data: { text: 'two' } })
  t.equal((await find(client, secrets))?.data?.password, password, 'random texts stay')

  await test.change({ helm: { values: [{ raw: { ...raw, replicas: 4 } }] } })
  await test.pass(2_000)
  t.match(await workloadsOf(client), { deployment: 4 })
  t.strictSame(await historyOf(client), ['1 superseded', '2 superseded', '3 deployed'])
  t.ok((await test.reasons()).includes('Upgraded'))

  await test.change({ hibernated: true })
  await test.pass(2_000)
  t.match(await workloadsOf(client), { deployment: 0 })
  await test.change({ config: { text: 'three' } })
  await test.pass(2_000)
  t.match(await find(client, configMaps), { data: { text: 'two' } }, 'it waits for the wake')
  await test.change({ hibernated: false })
  await test.pass(4_000)
  t.match(await find(client, configMaps), { data: { text: 'three' } })
  t.match(await workloadsOf(client), { deployment: 4 })
})

void t.test('random texts are the same after a restart of the operator', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  await createChart(test.client)
  await test.client.create(modules, helmModule({ values: [{ raw }] }, { config: { text: 'one' } }))
  await test.pass(2_000)
  const password = (await find(test.client, secrets))?.data?.password
  t.match(Buffer.from(password ?? '', 'base64').toString(), /^[0-9A-Za-z]{12}$/)
  await test.operator.stop()
  const next = await startTimed(t, {
    servers: { main: test.server },
    clock: test.clock,
    modules: { helm },
  })
  await next.change({ config: { text: 'two' } })
  await next.pass(2_000)
  t.match(await find(next.client, configMaps), { data: { text: 'two' } })
  t.equal((await find(next.client, secrets))?.data?.password, password)
})

void t.test('the name of a release cannot change, and its objects stay', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  await client.create(modules, helmModule())
  await test.pass(2_000)
  await test.change({ helm: { releaseName: 'other' } })
  await test.pass(2_000)
  t.match((await test.live()).status?.message, /the release web in default cannot become other in default/)
  t.strictSame(await historyOf(client), ['1 deployed'])
  t.strictSame(await historyOf(client, 'other'), [])
  await test.change({ helm: { releaseName: 'web' } })
  await test.pass(2_000)
  t.match((await test.live()).status, { phase: 'ready', message: undefined })
})

/** Values whose last object the API server does not take. */
const wrong = [{ raw: { only: ['ConfigMap', 'Deployment'], replicas: 'three' } }]
const right = [{ raw: { only: ['Secret', 'Deployment'], replicas: 2 } }]

void t.test('a release that was never installed goes on with corrected values', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  await client.create(modules, helmModule({ values: wrong }))
  await test.pass(0)
  t.match((await test.live()).status, { operation: { kind: 'install', reason: 'InstallError' } })
  t.ok(await find(client, configMaps), 'the first attempt has made an object')
  await test.change({ helm: { values: right } })
  await test.pass(5_000)
  t.match((await test.live()).status, { phase: 'ready' })
  t.match(await workloadsOf(client), { deployment: 2 })
  t.notOk(await find(client, configMaps), 'what the corrected values do not have is deleted')
  t.notOk((await test.reasons()).includes('Uninstalled'))
})

void t.test('a release that was never installed is uninstalled when its name is corrected', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  await client.create(modules, helmModule({ values: wrong }))
  await test.pass(0)
  await test.change({ helm: { releaseName: 'other', values: right } })
  await test.pass(5_000)
  t.match((await test.live()).status, { phase: 'ready' })
  t.strictSame(await historyOf(client), [])
  t.strictSame(await historyOf(client, 'other'), ['1 deployed'])
  t.notOk(await find(client, configMaps))
})
