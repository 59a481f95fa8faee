// Tests that random text of a chart stays as it is, so that no run is an upgrade because of it.
import { createHash, randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import type { TestOperator } from '../../../../testing/index.js'
import { secrets } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { chartOfFiles } from '../../chart/chart-of-files.js'
import { latestOf } from '../../release/history.js'
import { ReleaseStore } from '../../release/release-store.js'
import { engineRenderer } from '../../render/engine/engine-renderer.js'
import { objectsOf } from '../../render/manifest.js'
import { manifestOf } from '../../render/print-manifest.js'
import { helmRenderer } from '../../render/program/helm-renderer.js'
import { recordedChart } from '../../render/recorded-chart.js'
import type { ChartRenderer, RenderRequest } from '../../render/renderer.js'
import { configMap, greetings, key } from '../greetings.fixture.js'
import type { HelmControllerOptions } from '../options/options.js'
import { conditionOf, create, edit, eventsOf, find, history, start } from '../reconciled.fixture.js'

const template = `apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}, annotations: {text: {{ .Values.text | quote }}}}
stringData: {password: {{ randAlphaNum 12 }}, list: {{ list "a" (randAlphaNum 4) | toJson | quote }}}
---
apiVersion: v1
kind: Pod
metadata: {name: {{ .Release.Name }}-{{ randAlphaNum 5 | lower }}, annotations: {helm.sh/hook: test}}
spec: {containers: [{name: a, image: a}]}
`
const file = (name: string, text: string) => ({ name, data: Buffer.from(text) })
const chart = await chartOfFiles(
  [file('Chart.yaml', 'apiVersion: v2\nname: random\nversion: 1.0.0\n'), file('templates/a.yaml', template)],
  'random',
)

/** Renders the chart as a helm program does, with other text each time, or as the engine does, with that of a seed. */
function rendererOf(textOf: (request: RenderRequest) => string): ChartRenderer & { count: number } {
  return {
    name: 'test',
    count: 0,
    close: async () => {},
    async render(request) {
      this.count += 1
      const { values, release } = request
      const secret = {
        ...configMap(release.name, {}),
        kind: 'Secret',
        data: undefined,
        stringData: { password: textOf(request) },
        metadata: { name: release.name, annotations: { text: String(values.text) } },
      } as KubeObject
      const objects = [
        { source: 'random/templates/a.yaml', object: JSON.parse(JSON.stringify(secret)) as KubeObject },
      ]
      const manifest = await manifestOf(objects)
      return { objects, manifest, hooks: [], crds: [], notes: '', chart: recordedChart(chart) }
    },
  }
}
const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)
const seeded = () => rendererOf(({ repeat }) => hash(`${repeat?.seed} ${repeat?.nowMs}`))

const passwordOf = async (test: TestOperator) => {
  const { password = '' } = (await find(test, secrets))?.data ?? {}
  return Buffer.from(password, 'base64').toString()
}
const withChart = (t: Test, options: Partial<HelmControllerOptions>) =>
  start(t, { chart, reconcilePeriodMs: 0, ...options })

interface StaysOptions {
  /** A run with nothing to do shows the same as many: only the first test has ten. */
  edits?: number
  /** Called in each run. */
  onRun?: () => void
}

async function staysTheSame(
  t: Test,
  renderer: ChartRenderer,
  { edits = 1, onRun = () => {} }: StaysOptions = {},
): Promise<TestOperator> {
  const paused = () => {
    onRun()
    return false
  }
  const test = await withChart(t, { renderer, paused })
  await create(test, { text: 'one' })
  await test.settled()
  const password = await passwordOf(test)
  t.match(password, /^\w{12}$/)
  for (let run = 0; run < edits; run++) {
    await edit(test, { metadata: { labels: { run: String(run) } } })
    await test.settled()
  }
  t.strictSame(await history(test), ['1 deployed'])
  t.equal(await passwordOf(test), password)
  await edit(test, { spec: { text: 'two' } })
  await test.settled()
  t.strictSame(await history(test), ['1 superseded', '2 deployed'])
  t.match(await find(test, secrets), { metadata: { annotations: { text: 'two' } } })
  t.equal(await passwordOf(test), password, 'also when another value changes')
  return test
}

void t.test('a password of a chart stays: with a renderer that repeats it', async (t) => {
  const renderer = seeded()
  let runs = 0
  const onRun = () => void runs++
  const test = await staysTheSame(t, renderer, { edits: 10, onRun })
  t.strictSame(await eventsOf(test, 'RandomValues'), [])
  // An event of a watch may come during a run or cause another one, which depends on the load of the machine.
  t.ok(runs >= 12, `${runs} runs`)
  t.ok(
    renderer.count <= runs + 3,
    `a run with nothing to do renders once: ${renderer.count} times in ${runs} runs`,
  )
})

void t.test('with one that makes another each time', async (t) => {
  const renderer = { ...rendererOf(() => randomBytes(6).toString('hex')), repeatsRandom: false }
  const test = await staysTheSame(t, renderer)
  t.match(await eventsOf(test, 'RandomValues'), [
    'the chart of hello makes random values, which stay as they are recorded: Secret hello: stringData.password',
  ])
})

const engine = process.env.HELM_ENGINE ?? ''
const skip = engine === '' && 'HELM_ENGINE is not set: export HELM_ENGINE=$(npm run --silent helm-engine)'
void t.test('with the template engine of Helm', { skip }, async (t) => {
  const renderer = await engineRenderer({ engine })
  t.teardown(() => renderer.close())
  await staysTheSame(t, renderer)
})

const [program = ''] = (process.env.HELM_PROGRAMS ?? '').split('\n').reverse()
const without = program === '' && 'HELM_PROGRAMS is not set: export HELM_PROGRAMS=$(.ci/helm)'
void t.test('with a helm program, names of hooks included', { skip: without }, async (t) => {
  const renderer = await helmRenderer({ bin: program })
  t.teardown(() => renderer.close())
  const test = await staysTheSame(t, renderer)
  t.match(await eventsOf(test, 'RandomValues'), [
    /Pod hello-\w+: metadata.name, Secret hello: stringData.list, Secret hello: stringData.password$/,
  ])
})

void t.test('a time is kept as well, although two renderings of one second are alike', async (t) => {
  const second = () => String(Math.floor(Date.now() / 1000)).padStart(12, '0')
  await staysTheSame(t, { ...rendererOf(second), repeatsRandom: false })
})

void t.test('the password of a release of another program is kept', async (t) => {
  const test = await withChart(t, { renderer: seeded() })
  await create(test, { text: 'one' })
  await test.settled()
  const store = new ReleaseStore(test.client, Date.now)
  const latest = latestOf(await store.revisions('default', 'hello'))
  if (!latest) throw new Error('there is no release')
  const { release } = latest
  const manifest = release.manifest.replace(/"password": "\w+"/, '"password": "of-another"')
  await store.update({ ...latest, written: undefined, release: { ...release, manifest } })
  const body = { stringData: { password: 'of-another' } }
  await test.client.patch(secrets, { namespace: 'default', name: 'hello' }, { type: 'merge', body })
  await edit(test, { metadata: { labels: { run: 'again' } } })
  await test.settled()
  t.equal(await passwordOf(test), 'of-another')
  t.strictSame(await history(test), ['1 deployed'])
  await edit(test, { spec: { text: 'two' } })
  await test.settled()
  t.equal(await passwordOf(test), 'of-another')
  const [, second] = await store.revisions('default', 'hello')
  t.match(await objectsOf(second?.release.manifest ?? ''), [
    { object: { stringData: { password: 'of-another' } } },
  ])
})

void t.test('a release that is refused leaves no seed', async (t) => {
  const test = await withChart(t, { renderer: seeded(), allow: { kinds: ['ConfigMap'] } })
  await create(test, { text: 'one' })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'True', reason: 'NotAllowed' })
  t.strictSame((await test.client.list(secrets, { namespace: 'default' })).items, [])
})

void t.test('a seed without a release, of a process that died, goes with the custom resource', async (t) => {
  const test = await withChart(t, { renderer: seeded(), allow: { kinds: ['ConfigMap'] } })
  await create(test, { text: 'one' })
  await test.settled()
  await test.client.create(secrets, { metadata: { namespace: 'default', name: 'sh.helm.seed.v1.hello' } })
  await test.client.delete(greetings, key)
  await test.settled()
  t.strictSame((await test.client.list(secrets, { namespace: 'default' })).items, [])
})
