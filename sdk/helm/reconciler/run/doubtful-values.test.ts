// Tests what is said about values that a chart probably does not mean.
import t, { type Test } from 'tap'
import { configMaps } from '../../../engine/kube/builtin.js'
import { loadChart } from '../../chart/load-chart.js'
import { engineRenderer } from '../../render/engine/engine-renderer.js'
import type { HelmControllerOptions } from '../options/options.js'
import { conditionOf, create, edit, eventsOf, find, history, start } from '../reconciled.fixture.js'

const engine = process.env.HELM_ENGINE ?? ''
const skip = engine === '' && 'HELM_ENGINE is not set: export HELM_ENGINE=$(npm run --silent helm-engine)'

async function started(t: Test, options: Partial<HelmControllerOptions> = {}) {
  const folder = t.testdir({
    'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'values.yaml': 'replicaCount: 1\nsize: 1\n',
    templates: {
      'a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: hello}\ndata: {replicas: "{{ .Values.replicaCount }}", size: "{{ div 4 .Values.size }}"}\n',
    },
  })
  const renderer = await engineRenderer({ engine })
  t.teardown(() => renderer.close())
  return start(t, { chart: await loadChart(folder), renderer, ...options })
}

void t.test(
  'an Event names a misspelled value, once for each revision, and the release is installed',
  { skip },
  async (t) => {
    const test = await started(t)
    await create(test, { replicCount: 7 })
    await test.settled()
    t.strictSame(await history(test), ['1 deployed'])
    const message =
      'values that the chart probably does not mean: replicCount: nothing in the chart reads it; did you mean replicaCount?'
    t.strictSame(await eventsOf(test, 'DoubtfulValue'), [message])
    await edit(test, { metadata: { labels: { a: 'b' } } })
    await test.settled()
    t.equal((await eventsOf(test, 'DoubtfulValue')).length, 1)
    await edit(test, { spec: { replicCount: null, replicaCount: 7 } })
    await test.settled()
    t.match(await find(test, configMaps), { data: { replicas: '7' } })
    t.equal((await eventsOf(test, 'DoubtfulValue')).length, 1)
  },
)

void t.test('it also says why a template may have failed', { skip }, async (t) => {
  const test = await started(t)
  await create(test, { size: { some: 'thing' } })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { reason: 'RenderError' })
  t.match(await eventsOf(test, 'DoubtfulValue'), [/size: it is a map, but a number by default/])
})

void t.test('with refuse, nothing is written until the values are correct', { skip }, async (t) => {
  const test = await started(t, { doubtfulValues: 'refuse' })
  await create(test, { replicCount: 7 })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    status: 'True',
    reason: 'InvalidValues',
    message: /replicCount: nothing in the chart reads it; did you mean replicaCount\?/,
  })
  t.strictSame(await history(test), [])
  await edit(test, { spec: { replicCount: null } })
  await test.settled()
  t.strictSame(await history(test), ['1 deployed'])
})

void t.test('with ignore, nothing is said', { skip }, async (t) => {
  const test = await started(t, { doubtfulValues: 'ignore' })
  await create(test, { replicCount: 7 })
  await test.settled()
  t.strictSame(await eventsOf(test, 'DoubtfulValue'), [])
})
