// Tests which values of charts of other projects are doubtful: none of their defaults and of the examples in their
// archives, and most misspelled ones. helm refuses a misspelled value only for a chart with a schema that says so.

import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { boilerplateChart } from '../../cli/create/chart/boilerplate-chart.js'
import { yamlToJson } from '../../sdk/engine/kube/go-yaml/yaml-to-json.js'
import { parseJson } from '../../sdk/engine/kube/json.js'
import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import type { FileChart } from '../../sdk/helm/chart/chart.js'
import type { JsonObject } from '../../sdk/helm/chart/json-object.js'
import { loadChart } from '../../sdk/helm/chart/load-chart.js'
import { engineRenderer } from '../../sdk/helm/render/engine/engine-renderer.js'
import { doubtfulValues } from '../../sdk/helm/values/doubtful-values.js'
import { engine, missingEngine, missingPrograms, programs } from './charts.js'

const folder = process.env.REAL_CHARTS ?? ''
const skip = folder === '' && 'REAL_CHARTS is not set: it names a folder with charts of other projects'
const archives = skip ? [] : readdirSync(folder).filter((name) => name.endsWith('.tgz'))

/** A chart and its subcharts. */
const allOf = (chart: FileChart): FileChart[] => [chart, ...chart.subcharts.flatMap(allOf)]

/** The files with example values, which the authors test the chart with. */
const examplesOf = ({ files }: FileChart) =>
  files.filter(({ name }) => /^(?:ci|tests\/values)\/.*\.ya?ml$/.test(name))

function valuesOf(data: Uint8Array): JsonObject {
  const read = parseJson(yamlToJson(Buffer.from(data).toString('utf8')).json)
  return isJsonObject(read) ? read : {}
}

void t.test('defaults and examples have no doubtful value', { skip }, async (t) => {
  let examples = 0
  for (const archive of archives) {
    for (const chart of allOf(await loadChart(join(folder, archive)))) {
      const { name } = chart.metadata
      t.strictSame(doubtfulValues(chart, chart.values), [], `${archive}: ${name}`)
      for (const example of examplesOf(chart)) {
        examples += 1
        t.strictSame(doubtfulValues(chart, valuesOf(example.data)), [], `${archive}: ${name} ${example.name}`)
      }
    }
  }
  t.ok(examples > 50, `${examples} examples`)
})

/** A name without the letter in its middle. */
const misspelled = (name: string) => {
  const at = Math.floor(name.length / 2)
  return name.slice(0, at) + name.slice(at + 1)
}

void t.test('most misspelled keys at the top are found', { skip }, async (t) => {
  let [all, found] = [0, 0]
  for (const archive of archives) {
    const chart = await loadChart(join(folder, archive))
    for (const key of Object.keys(chart.values).filter((key) => key.length > 4)) {
      all += 1
      found += doubtfulValues(chart, { [misspelled(key)]: 1 }).length
    }
  }
  t.ok(found / all > 0.95, `${found} of ${all}`)
})

const typos = [{ replicCount: 3 }, { replicaCount: 'three' }, { service: { prot: 80 } }, { image: 'nginx' }]
const skipHelm = missingEngine || missingPrograms

void t.test(
  'the chart that create writes has a schema, by which helm refuses them as the engine does',
  { skip: skipHelm },
  async (t) => {
    const { files } = boilerplateChart('web')
    const tree: Record<string, string | Record<string, string>> = { templates: {} }
    for (const [path, content] of Object.entries(files)) {
      const [name = '', inner] = path.split('/')
      if (inner === undefined) tree[name] = String(content)
      else (tree[name] as Record<string, string>)[inner] = String(content)
    }
    const chart = t.testdir(tree)
    const renderer = await engineRenderer({ engine })
    t.teardown(() => renderer.close())
    const release = { name: 'web', namespace: 'ns', revision: 1, isInstall: true }
    const capabilities = { kubeVersion: 'v1.36.3', apiVersions: ['v1', 'apps/v1'] }
    const loaded = await loadChart(chart)
    const ours = (values: JsonObject) =>
      renderer
        .render({ chart: loaded, values, release, capabilities }, AbortSignal.timeout(30_000))
        .then(() => 'rendered', String)
    t.equal(await ours({ replicaCount: 2, global: { a: 1 }, resources: { limits: { cpu: 1 } } }), 'rendered')
    for (const values of typos) {
      const flags = Object.entries(values).flatMap(([name, one]) => [
        '--set-json',
        `${name}=${JSON.stringify(one)}`,
      ])
      for (const helm of programs)
        t.match(await refusal(helm, ['template', 'web', chart, ...flags]), /values don't meet/)
      t.match(
        await ours(values),
        /the values of the chart \S+ do not fit its schema: /,
        JSON.stringify(values),
      )
    }
  },
)

/** Runs helm; returns its standard error. */
const refusal = (helm: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(helm, [...args], (_error, _out, errors) => resolve(errors))
  })
