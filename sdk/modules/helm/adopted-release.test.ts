// Tests a Module that adopts the release of another program.
import t from 'tap'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import type { Client } from '../../engine/client/client.js'
import { configMaps, deployments, secrets } from '../../engine/kube/builtin.js'
import { cronJobs } from '../../engine/kube/builtin-workloads.js'
import { modules } from '../kinds/module-kind.js'
import { shop, startTimed } from '../module/modules.fixture.js'
import {
  createChart,
  find,
  helm,
  helmModule,
  historyOf,
  installForeign,
  workloadsOf,
} from './helm.fixture.js'

const awake = { deployment: 3, set: 2, suspended: false, autoscaler: 1 }
const asleep = { deployment: 0, set: 0, suspended: true, autoscaler: 1 }
const existing = {
  chart: undefined,
  releaseName: undefined,
  existingRelease: { name: 'web', namespace: 'default' },
}

async function start(test: Parameters<typeof startTimed>[0], options = helm) {
  const started = await startTimed(test, { modules: { helm: options } })
  const { client, server } = started
  await installForeign(client, inProcessTransport(server))
  /** The objects of the release as they are stored. */
  const stored = async () => {
    const records = (await client.list(secrets, { namespace: 'default' })).items
    const objects = [
      ...records.filter(({ type }) => type === 'helm.sh/release.v1'),
      await find(client, configMaps),
    ]
    return objects.map((one) => JSON.stringify([one?.metadata, one?.data]))
  }
  return { ...started, stored }
}

/** The managers of the fields of the workloads. */
async function managers(client: Client): Promise<unknown> {
  const workloads = await Promise.all([find(client, deployments), find(client, cronJobs)])
  return workloads.map((one) =>
    one?.metadata.managedFields?.map((entry) => (entry as { manager: string }).manager),
  )
}

void t.test('an adopted release is shown, sleeps, wakes, and stays when its Module goes', async (t) => {
  const test = await start(t)
  const { client } = test
  const before = await test.stored()
  const found = await managers(client)
  await client.create(modules, helmModule(existing))
  await test.pass(2_000)
  const { status, metadata } = await test.live()
  t.match(status, { phase: 'ready', source: 'Helm/Adopted', program: { name: 'web', version: '1.2.0' } })
  t.ok((await test.reasons()).includes('Adopted'))
  const shown = await find(client, secrets, 'shop-outputs')
  t.equal(Buffer.from(shown?.data?.['values.yaml'] ?? '', 'base64').toString(), '"text": "theirs"')
  t.equal(shown?.metadata.ownerReferences?.[0]?.uid, metadata.uid)
  t.strictSame(await workloadsOf(client), awake)
  t.strictSame(await test.stored(), before, 'nothing has changed')

  await test.change({ hibernated: true })
  await test.pass(2_000)
  t.strictSame(await workloadsOf(client), asleep)
  t.strictSame(await test.stored(), before)

  await client.delete(modules, shop)
  await test.pass(2_000)
  await t.rejects(test.live(), { code: 404 })
  t.strictSame(await workloadsOf(client), awake, 'it is as it was found')
  t.strictSame(await managers(client), found, 'other programs meet no conflict')
  t.strictSame(await historyOf(client), ['1 deployed'])
  t.strictSame(await test.stored(), before)
})

void t.test('the source existingHelmRelease adopts as well', async (t) => {
  const test = await start(t)
  const source = { existingHelmRelease: { name: 'web', namespace: 'default' } }
  await test.client.create(modules, helmModule({}, { helm: undefined, source } as never))
  await test.pass(2_000)
  t.match((await test.live()).status, { phase: 'ready', source: 'Helm/Adopted' })
})

void t.test('a Module with an adopted release does not change to another one', async (t) => {
  const test = await start(t)
  await test.client.create(modules, helmModule(existing))
  await test.pass(2_000)
  await test.change({ helm: { existingRelease: { name: 'other' } } })
  await test.pass(2_000)
  t.match((await test.live()).status, { phase: 'ready', message: /cannot change after the installation/ })
})

void t.test('a release that is missing, or belongs to an object, is not adopted', async (t) => {
  const test = await start(t)
  const { client } = test
  const named = (name: string, namespace = 'default') => ({
    ...existing,
    existingRelease: { name, namespace },
  })
  await client.create(modules, helmModule(named('absent')))
  await test.pass(0)
  t.match((await test.live()).status?.message, /the release absent in default does not exist/)
  await client.create(modules, helmModule(named('web', 'kube-system'), {}, 'far'))
  await test.pass(0)
  t.match(
    (await test.live('far')).status?.message,
    /its release web must be in the namespace default, got kube-system; set helm.releases/,
  )
})

void t.test('a Module does not install over the release of another program', async (t) => {
  const test = await start(t)
  const { client } = test
  const before = await test.stored()
  await createChart(client)
  await client.create(modules, helmModule())
  await test.pass(2_000)
  t.match((await test.live()).status, {
    phase: 'failed',
    message: /the release web in default belongs to another program, with the chart web/,
  })
  await client.delete(modules, shop)
  await test.pass(2_000)
  await t.rejects(test.live(), { code: 404 })
  t.strictSame(await test.stored(), before)
  t.strictSame(await workloadsOf(client), awake)
})
