import t from 'tap'
import { dailyPart } from '../../../test/daily-part.js'
import { exhaust } from '../../../testing/explore/exhaust.js'
import { operatorScenario } from '../../../testing/scenario/operator-scenario.js'
import { configMaps, namespaces } from '../../engine/kube/builtin.js'
import { replicaSets } from '../../engine/kube/builtin-workloads.js'
import { createChart, find, helm, helmModule, historyOf, workloadsOf } from '../helm/helm.fixture.js'
import { modules } from '../kinds/module-kind.js'
import { workspaces } from '../kinds/workspace-kind.js'
import {
  createWorkspace,
  definitions,
  isInstalled,
  moduleOf,
  NotingProgram,
  registering,
  shop,
  startTimed,
  switchWorkspace,
  type TimedTest,
} from '../module/modules.fixture.js'

const copy = { namespace: 'default', name: 'copy' }
const from = { name: 'dev', namespace: 'default' }
const createFork = ({ client }: Pick<TimedTest, 'client'>, metadata = copy, spec: object = {}) =>
  client.create(workspaces, { metadata, spec: { from, ...spec } } as never)
const statusOf = async ({ client }: TimedTest, key = copy) => (await client.get(workspaces, key)).status
const copies = async ({ client }: TimedTest) =>
  (await client.list(modules, { labelSelector: 'forkspacer.com/forked-from' })).items

void t.test(
  'a fork has copies of the Modules under names of their own, and the source is left alone',
  async (t) => {
    const test = await startTimed(t)
    const config = [{ name: 'Size', alias: 'size', integer: {} }]
    await test.client.create(modules, { ...moduleOf({ config: { size: 3 } }), config })
    await test.client.create(modules, moduleOf({ hibernated: true }, { name: 'own' }))
    await test.pass(0)
    const annotations = { 'forkspacer.com/accept-digest': 'sha256-x' }
    await test.client.patch(modules, shop, { type: 'merge', body: { metadata: { annotations } } })
    await test.pass(0)
    const before = await test.live()
    await createFork(test)
    await test.pass(0)
    t.match(await statusOf(test), {
      phase: 'ready',
      fork: { phase: 'done', modules: 2 },
      modules: { total: 2 },
    })
    const all = await copies(test)
    t.strictSame(all.map(({ status }) => status?.phase).sort(), ['ready', 'sleeped'])
    const made = all.find(({ metadata }) => metadata.name?.startsWith('shop-'))
    t.match(made, {
      metadata: { name: /^shop-[0-9a-f]{8}$/, labels: { 'forkspacer.com/forked-from': before.metadata.uid } },
      config,
      spec: { workspace: copy, config: { size: 3 } },
    })
    t.notOk(made?.metadata.annotations?.['forkspacer.com/accept-digest'])
    t.ok(await isInstalled(test.client, made?.metadata.name))
    t.strictSame(await test.live(), before)
    await test.client.create(modules, moduleOf({}, { name: 'later' }))
    await test.client.patch(workspaces, copy, { type: 'merge', body: { spec: { hibernated: true } } })
    await test.pass(0)
    t.equal((await copies(test)).length, 2, 'a fork is made once')
    await test.client.delete(workspaces, copy)
    await test.pass(0)
    t.strictSame(await copies(test), [])
    t.strictSame(await test.live(), before)
  },
)

void t.test('a fork waits until its source is ready', async (t) => {
  const test = await startTimed(t)
  await test.client.create(modules, moduleOf())
  await switchWorkspace(test.client, true)
  await test.pass(0)
  await createFork(test)
  await test.pass(1_000_000)
  const message =
    'waits for Workspace default/dev to be ready: it is hibernated; set its spec.hibernated to false'
  t.match(await statusOf(test), { ready: false, message, fork: { phase: 'waiting' } })
  t.strictSame(await copies(test), [])
  await switchWorkspace(test.client, false)
  await test.pass(0)
  t.match(await statusOf(test), { phase: 'ready', fork: { phase: 'done', modules: 1 } })
  t.equal((await statusOf(test))?.message, undefined)
})

void t.test('the source is untouched when its fork fails, and when the fork is deleted', async (t) => {
  const test = await startTimed(t)
  await test.client.create(modules, moduleOf())
  await test.pass(0)
  const before = await test.live()
  test.noting.behaviour.install = async ({ cluster }) => {
    await cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'half' } }])
    throw new Error('no room')
  }
  test.noting.behaviour.uninstall = ({ cluster }) =>
    cluster.delete(
      ['half', 'shop-installed'].map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })),
    )
  await createFork(test)
  await test.pass(10_000)
  t.match(await statusOf(test), { modules: { total: 1, failed: 1 } })
  t.strictSame(await test.live(), before)
  await test.client.delete(workspaces, copy)
  await test.pass(10)
  t.strictSame(await copies(test), [])
  await t.rejects(test.client.get(configMaps, { namespace: 'default', name: 'half' }), { code: 404 })
  t.ok(await isInstalled(test.client), 'the clean-up deletes only what the copy made')
  t.strictSame(await test.live(), before)
})

void t.test('the release of the source is untouched when its fork fails', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  await createChart(test.client)
  // The release of the copy has an object of the same name.
  await test.client.create(modules, helmModule({ values: [{ raw: { replicaSets: ['alone'] } }] }))
  await test.pass(2_000)
  const release = async () => [
    await historyOf(test.client),
    await workloadsOf(test.client),
    await find(test.client, replicaSets, 'alone'),
    await test.live(),
  ]
  const before = await release()
  t.match(before, [['1 deployed'], { deployment: 3 }, { spec: { replicas: 2 } }, {}])
  await createFork(test)
  await test.pass(10_000)
  t.match(await statusOf(test), { modules: { total: 1, failed: 1 } })
  t.strictSame(await release(), before)
  await test.client.delete(workspaces, copy)
  await test.pass(2_000)
  t.strictSame(await copies(test), [])
  t.strictSame(await release(), before)
})

void t.test('forks of other namespaces, of itself and with data are refused', async (t) => {
  const test = await startTimed(t)
  await test.client.create(namespaces, { metadata: { name: 'other' } })
  const cases: [typeof copy, object, RegExp][] = [
    [{ namespace: 'other', name: 'a' }, {}, /set forks to all-namespaces/],
    [{ ...copy, name: 'b' }, { from: { ...from, migrateData: true } }, /migrateData is not supported/],
    [{ ...copy, name: 'c' }, { from: { ...from, name: 'c' } }, /from names the Workspace itself/],
  ]
  for (const [key, spec] of cases) await createFork(test, key, spec)
  await test.pass(0)
  for (const [key, , message] of cases) t.match(await statusOf(test, key), { phase: 'failed', message })
})

void t.test(
  'a Module that adopted a release is not copied, and a release name is not inherited',
  async (t) => {
    const test = await startTimed(t)
    const create = (name: string, spec: object) =>
      test.client.create(modules, moduleOf({ source: undefined, ...spec }, { name }))
    await create('adopted', { source: { existingHelmRelease: { name: 'db' } } })
    await create('adopted-too', { helm: { existingRelease: { name: 'db' } } })
    await create('chart', { helm: { releaseName: 'db', namespace: 'default' } })
    await test.pass(0)
    await createFork(test)
    await test.pass(0)
    const message = 'not copied, because they adopted a release: adopted, adopted-too'
    t.match(await statusOf(test), { fork: { phase: 'done', modules: 1, message } })
    const [made] = await copies(test)
    t.strictSame(made?.spec.helm, { namespace: 'default' })
  },
)

void t.test('a crash before or after any write of a fork has the same end', async (t) => {
  const noting = new NotingProgram()
  noting.behaviour.install = () => {} // The writes are those of the fork.
  const second = moduleOf({}, { name: 'second' })
  const scenario = operatorScenario({
    register: registering(noting),
    definitions,
    before: async ({ client }) => {
      await createWorkspace(client)
      await client.create(modules, moduleOf())
      await client.create(modules, second)
    },
    writesPerChange: 24,
    steps: { 'a fork is created': (clusters) => createFork(clusters) },
  })
  const { missed, writes, runs } = await exhaust(scenario, { faults: ['crashes'], part: dailyPart })
  t.strictSame(missed, [], 'every crash was injected')
  t.comment(`${writes.length} writes, ${runs} crashes`)
})
