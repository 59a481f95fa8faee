// Tests charts that are small as archives and unpack to values that would fill the memory of the operator.
import t, { type Test } from 'tap'
import type { Client } from '../../engine/client/client.js'
import { configMaps } from '../../engine/kube/builtin.js'
import { packChart } from '../../helm/chart/pack-chart.js'
import { modules } from '../kinds/module-kind.js'
import { startTimed } from '../module/modules.fixture.js'
import { createChart, helm, helmModule, historyOf } from './helm.fixture.js'

/** 1.9 MB of empty maps. */
const maps = `a: [${'{},'.repeat(630_000)}]\n`

/** Creates a chart of a few KB in a ConfigMap, with the maps in one file. */
async function createHostile(t: Test, client: Client, name: string, file: string): Promise<void> {
  const contents = { 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`, [file]: maps }
  const files = Object.entries(contents).map(([path, text]) => ({ name: path, data: Buffer.from(text) }))
  const archive = await packChart(name, files)
  t.ok(archive.length < 4_000, `it has ${archive.length} bytes`)
  const binaryData = { 'chart.tgz': archive.toString('base64') }
  await client.create(configMaps, { metadata: { namespace: 'default', name }, binaryData })
}

const hostile = {
  'many-values': 'values.yaml',
  'large-template': 'templates/a.yaml',
  'large-crd': 'crds/a.yaml',
}

void t.test('a chart of 2 KB that unpacks to 1.9 MB of maps stops only its own Module', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  for (const [name, file] of Object.entries(hostile)) {
    await createHostile(t, client, name, file)
    await client.create(modules, helmModule({ chart: { configMap: { name } }, releaseName: name }, {}, name))
  }
  await test.pass(2_000)
  await createChart(client)
  await client.create(modules, helmModule())
  await test.pass(10_000)
  t.match((await test.live()).status, { phase: 'ready' }, 'another Module is installed meanwhile')
  t.strictSame(await historyOf(client), ['1 deployed'])
  for (const [name, file] of Object.entries(hostile)) {
    const { status } = await test.live(name)
    const message =
      /^the chart ConfigMap default\/.* cannot be used: it.* has up to \d{7} values.* at most 100000/
    const conditions = status?.conditions?.filter(({ type }) => type !== 'Progressing')
    const [ready, degraded] = [
      { type: 'Ready', status: 'False' },
      { type: 'Degraded', status: 'True' },
    ]
    t.match(
      conditions,
      [
        { ...ready, message },
        { ...degraded, message },
      ],
      file,
    )
    t.equal(status?.phase, 'failed')
    t.ok((status?.operation?.attempt ?? 0) > 2, 'it is tried again, as somebody may correct the ConfigMap')
    t.strictSame(await historyOf(client, name), [])
  }
})

void t.test('values of users in a ConfigMap are counted before they are parsed', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  const data = { 'values.yaml': maps.slice(0, 900_000) }
  await client.create(configMaps, { metadata: { namespace: 'default', name: 'settings' }, data })
  await client.create(modules, helmModule({ values: [{ configMap: { name: 'settings' } }] }))
  await test.pass(2_000)
  const { status } = await test.live()
  t.match(status, { phase: 'failed', message: /^ConfigMap default\/settings, key .*up to \d{6} values/ })
})
