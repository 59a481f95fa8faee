// Tests charts in code, and that their objects are the same after they were stored as YAML.
import fc from 'fast-check'
import t from 'tap'
import { yamlToJson } from '../../../engine/kube/go-yaml/yaml-to-json.js'
import { jsonEqual, parseJson } from '../../../engine/kube/json.js'
import { functionChart } from '../../chart/function-chart.js'
import { objectsOf } from '../manifest.js'
import type { RenderRequest } from '../renderer.js'
import { prerendered } from './prerendered.js'
import { renderFunctionChart } from './render-function-chart.js'
import { yamlOf } from './yaml-of.js'

const release = { name: 'demo', namespace: 'ns', revision: 2, isInstall: false }
const request = (chart: RenderRequest['chart'], values = {}): RenderRequest => ({
  chart,
  values,
  release,
  capabilities: { kubeVersion: 'v1.36.3', apiVersions: [] },
})
const object = (kind: string, name: string, annotations?: Record<string, string>) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, ...(annotations && { annotations }) },
})

void t.test('a function gets values with defaults and the release', async (t) => {
  const chart = functionChart(
    { name: 'a', version: '1.0.0', values: { size: 1, text: 'x' } },
    (values, given) => [
      { ...object('ConfigMap', given.name), data: { ...values, revision: given.revision } },
    ],
  )
  const { objects, manifest, chart: record } = await renderFunctionChart(chart, request(chart, { size: 3 }))
  t.match(objects, [{ object: { metadata: { name: 'demo' }, data: { size: 3, text: 'x', revision: 2 } } }])
  t.match(manifest, /^---\n# Source: a\/templates\/objects.yaml\n"apiVersion": "v1"\n/)
  t.strictSame(await objectsOf(manifest), objects, 'the manifest has the same objects')
  t.match(record, { metadata: { name: 'a' }, values: { size: 1 }, templates: [], schema: null })
})

void t.test('objects are in install order, and hooks apart', async (t) => {
  const made = [
    object('Zebra', 'z'),
    object('Deployment', 'd'),
    object('Apple', 'a'),
    object('ConfigMap', 'second'),
    object('ConfigMap', 'first'),
    object('Job', 'hook', { 'helm.sh/hook': 'post-install', 'helm.sh/hook-weight': '-5' }),
    object('Job', 'unknown', { 'helm.sh/hook': 'post-everything' }),
    object('Job', 'incomplete', { 'helm.sh/hook': 'post-install,' }),
    object('Namespace', 'n'),
  ]
  const chart = functionChart({ name: 'a', version: '1.0.0' }, () => made)
  const { objects, hooks, leftOut } = await renderFunctionChart(chart, request(chart))
  t.strictSame(
    objects.map((one) => one.object.metadata.name),
    ['n', 'second', 'first', 'd', 'a', 'z'],
  )
  t.match(hooks, [{ name: 'hook', kind: 'Job', weight: -5, events: ['post-install'] }])
  t.equal(hooks.length, 1, 'helm drops hooks with an unknown event, too')
  t.strictSame(leftOut, [
    'Job unknown of a/templates/objects.yaml (post-everything)',
    'Job incomplete of a/templates/objects.yaml (post-install,)',
  ])
})

void t.test('a function that throws is an error of the chart', async (t) => {
  const chart = functionChart({ name: 'a', version: '1.0.0' }, () => {
    throw new Error('no size')
  })
  await t.rejects(renderFunctionChart(chart, request(chart)), {
    reason: 'RenderError',
    message: 'the chart a failed: no size',
  })
})

void t.test('a prerendered chart has the objects of its text', async (t) => {
  const text = `---\n# Source: a/templates/x.yaml\n${JSON.stringify(object('Service', 's'))}\n---\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: c}\n`
  const chart = prerendered({ name: 'a', version: '1.0.0' }, text)
  const { objects } = await renderFunctionChart(chart, request(chart, { ignored: true }))
  t.strictSame(
    objects.map((one) => one.object.metadata.name),
    ['c', 's'],
  )
})

void t.test('any JSON is the same after it was written as YAML and read as Go reads it', async (t) => {
  // As the SDK reads it: large whole numbers are bigints.
  const value = fc
    .dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }))
    .map((json) => parseJson(JSON.stringify(json)) as object)
  const texts = [
    'yes',
    'off',
    '0777',
    '1_000',
    '1e3',
    '~',
    '',
    '- a',
    '---\nb',
    '\u2028',
    ' x ',
    '#',
    '1:20',
    '"',
  ]
  const cases = [...texts.map((text) => ({ [text]: text })), { big: 9007199254740993n }]
  const isSame = async (json: object) => jsonEqual(parseJson(yamlToJson(await yamlOf(json)).json), json)
  for (const json of cases) t.ok(await isSame(json), Object.keys(json).join())
  await fc.assert(fc.asyncProperty(value, isSame), { numRuns: 300 })
})
