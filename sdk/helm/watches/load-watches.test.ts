// Tests the keys of watches.yaml: what they mean, and the position and the sentence of each mistake.

import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { PluginError } from '../../engine/kube/error.js'
import { packChart } from '../chart/pack-chart.js'
import { withOverrides } from '../values/overrides.js'
import { type LoadWatchesOptions, loadWatches } from './load-watches.js'

const charts = {
  memcached: { 'Chart.yaml': 'apiVersion: v2\nname: memcached\nversion: 1.2.3\n' },
  library: { 'Chart.yaml': 'apiVersion: v2\nname: library\nversion: 1.0.0\ntype: library\n' },
  needy: { 'Chart.yaml': 'apiVersion: v2\nname: needy\nversion: 1.0.0\ndependencies: [{name: db}]\n' },
}
const entry = 'group: cache.my.domain\n  version: v1\n  kind: Memcached\n  chart: charts/memcached'
const load = (t: Test, text: string, options: LoadWatchesOptions = {}) =>
  loadWatches(join(t.testdir({ 'watches.yaml': text, charts }), 'watches.yaml'), { env: {}, ...options })

/** The problems of a file, without the path of the file. */
async function problems(t: Test, text: string, options?: LoadWatchesOptions): Promise<string[]> {
  const error: unknown = await load(t, text, options).catch((reason: unknown) => reason)
  if (!(error instanceof PluginError)) throw new Error(`not refused: ${JSON.stringify(error)}`)
  t.equal(error.code, 'INVALID_WATCHES')
  const [first = '', ...others] = error.message.split('\n')
  if (others.length > 0) t.equal(first, 'watches.yaml cannot be used:', 'several have a line each')
  const lines = others.length > 0 ? others : [first]
  return lines.map((line) => line.replace(/^.*?watches\.yaml/, ''))
}

/** The problem of an entry that is right but for some lines. */
const problem = async (t: Test, lines: string, options?: LoadWatchesOptions) =>
  (await problems(t, `- ${entry}\n  ${lines}\n`, options)).join('\n')

void t.test('an entry with the required keys has the defaults', async (t) => {
  const [watch] = await load(t, `#+kubebuilder:scaffold:watch\n- ${entry}\n`)
  const { chart, ...rest } = watch ?? {}
  t.equal(chart?.metadata.name, 'memcached', 'the path begins at the folder of the file')
  t.strictSame(rest, {
    resource: { group: 'cache.my.domain', version: 'v1', kind: 'Memcached' },
    watchDependentResources: true,
    overrides: [],
    reconcilePeriodMs: 60_000,
    maxConcurrentReconciles: availableParallelism(),
  })
})

void t.test('every key is read', async (t) => {
  const [watch] = await load(
    t,
    `- ${entry}
  plural: memcacheds
  namespaced: true
  watchDependentResources: no
  overrideValues: {replicas: 3, image: {tag: "7"}, "a.b": "yes"}
  overrideStringValues: {version: "7"}
  reconcilePeriod: 1m30s
  maxConcurrentReconciles: 4
  selector: {matchLabels: {a: b}, matchExpressions: [{key: c, operator: In, values: [d]}, {key: e, operator: Exists}]}
  target: host
  targetNamespace: elsewhere
  createNamespace: true
  releaseName: name-hash
  wait: ready
  timeout: 10m
  maxHistory: 0
  onFailure: rollback
  crds: upgrade
  adopt: never
  driftDetection: report
  repeatedEnv: last
  doubtfulValues: refuse
`,
  )
  const { chart: _, overrides = [], ...rest } = watch ?? {}
  t.strictSame(rest, {
    resource: {
      group: 'cache.my.domain',
      version: 'v1',
      kind: 'Memcached',
      plural: 'memcacheds',
      namespaced: true,
    },
    watchDependentResources: false,
    reconcilePeriodMs: 90_000,
    maxConcurrentReconciles: 4,
    selector: {
      matchLabels: { a: 'b' },
      matchExpressions: [
        { key: 'c', operator: 'In', values: ['d'] },
        { key: 'e', operator: 'Exists' },
      ],
    },

    target: 'host',
    targetNamespace: 'elsewhere',
    createNamespace: true,
    releaseName: 'name-hash',
    wait: 'ready',
    timeoutMs: 600_000,
    maxHistory: 0,
    onFailure: 'rollback',
    crds: 'upgrade',
    adopt: 'never',
    driftDetection: 'report',
    repeatedEnv: 'last',
    doubtfulValues: 'refuse',
  })
  t.strictSame(withOverrides({ image: { name: 'x', tag: 1 } }, overrides), {
    replicas: 3,
    image: { tag: 7 },
    a: { b: 'yes' },
    version: '7',
  })
})

void t.test('all mistakes of a file are reported at once, with their positions', async (t) => {
  const text = `- group: cache.my.domain
  version: 1
  kind: Memcached
  chart: charts/memcached
  reconcilPeriod: 1m
- version: v1
  kind: ""
  chart: charts/nothing
  maxConcurrentReconciles: 0
- group: cache.my.domain
  kind: Memcached
  version: v2
  chart: charts/memcached
`
  const found = (await problems(t, text)).map((line) => line.replaceAll(/ \/\S*\/charts/g, ' charts'))
  t.strictSame(found, [
    ':5:3: entry 1, reconcilPeriod: the key is not known; did you mean reconcilePeriod?',
    ':2:12: entry 1, version: the version is the number 1; write the text "v1"',
    ':7:9: entry 2, kind: kind must not be empty',
    ':8:10: entry 2, chart: the chart charts/nothing cannot be used: there is no such file or folder; correct its path; in an image, the Dockerfile must copy it to this path',
    ':9:28: entry 2, maxConcurrentReconciles: 0 is not a whole number from 1 on',
    ':11:9: entry 3, kind: entry 1 is about Memcached of the group "cache.my.domain" as well',
  ])
})

void t.test('each value that a key does not take has its own sentence', async (t) => {
  const cases: [string, string | RegExp][] = [
    ['reconcilePeriod: -1s', 'reconcilePeriod: "-1s" is negative'],
    ['reconcilePeriod: 60', /60 is not a duration; write a number with a unit, such as "60s"/],
    ['timeout: 0s', 'timeout: "0s" is not above zero'],
    ['maxConcurrentReconciles: 1.5', /1.5 is not a whole number from 1 on/],
    ['maxHistory: -1', /-1 is not a whole number from 0 on/],
    ['watchDependentResources: "true"', /"true" is neither true nor false/],
    ['plural: Memcacheds', /"Memcacheds" is not a DNS label/],
    ['createNamespace: true', /createNamespace: it needs targetNamespace/],
    ['target: elsewhere', /"elsewhere" is not one of "virtual", "host"/],
    ['target: host\n  adopt: always', /adopt: "always" is not allowed with the target "host"/],
    [
      'selector: {matchLabel: {a: b}}',
      /the key "matchLabel" is not known; a selector has matchLabels and matchExpressions/,
    ],
    [
      'selector: {matchExpressions: [{key: a, operator: Near}]}',
      /"Near" is not a valid label selector operator/,
    ],
    ['selector: {matchExpressions: [{key: a, operator: In}]}', /values set can't be empty/],
    ['selector: {matchLabels: {a: 1}}', /matchLabels is not a map of texts/],
    ['repeatedEnv: first', '"first" is not one of "refuse", "last"'],
    ['overrideValues: [a]', /\["a"\] is not a map/],
    ['overrideStringValues: {a: 1}', 'overrideStringValues.a: 1 is not text; write it with quotes'],
    ['overrideValues: {"a..b": 1}', /overrideValues.a..b: "" is not a name/],
    ['overrideValues: {a: 1, a.b: 2}', /overrideValues.a.b: a sets a part of it, or all of it, as well/],
    [`overrideValues: {a: "\${1}"}`, /\$\{1\} does not name a variable/],
    ['kind: Memcached', 'the key "kind" is there twice'],
  ]
  for (const [lines, sentence] of cases) t.match(await problem(t, lines), sentence, lines)
})

void t.test('entries and files of another form are refused', async (t) => {
  const cases: [string, RegExp][] = [
    ['a: 1', /^:1:1: the file is not a list of entries$/],
    ['- text', /^:1:3: entry 1: it is not a map/],
    [`- ${entry}\n---\n- ${entry}`, /^:6:1: the file has a second document/],
    ['- a: [', /: yaml: line 1/],
    [
      `- ${entry.replace('charts/memcached', 'charts/library')}`,
      /^:4:10: entry 1, chart: .* it is a library/,
    ],
    [`- ${entry.replace('charts/memcached', 'charts/needy')}`, /chart: .* `helm dependency build`/],
    [`- ${entry.replace('cache.my.domain', 'Cache_')}`, /^:1:10: entry 1, group: "Cache_" is not a DNS name/],
    [`- ${entry.replace('v1', 'one')}`, /"one" is not a version/],
    [`- ${entry.replace('Memcached', 'memcached')}`, /"memcached" is not a kind; write it in CamelCase/],
    [`- ${entry.replace('chart: charts/memcached', '')}`, /chart: it must not be empty/],
  ]
  for (const [text, sentence] of cases) t.match((await problems(t, text)).join('\n'), sentence, text)
  await t.rejects(loadWatches('/nowhere/watches.yaml'), {
    message: /\/nowhere\/watches.yaml does not exist; correct its path; .*Dockerfile/,
  })
})

void t.test(
  'a text of overrideStringValues wins over a value of overrideValues, also in a part of it',
  async (t) => {
    const texts = `overrideStringValues: {a: "1.20", b.c: "2"}`
    const [watch] = await load(t, `- ${entry}\n  ${texts}\n  overrideValues: {a: "1", b: {c: 1, d: 1}}\n`)
    t.strictSame(withOverrides({}, watch?.overrides ?? []), { a: '1.20', b: { c: '2', d: 1 } })
  },
)

void t.test('an archive whose files leave the folder of the chart is refused at its position', async (t) => {
  const chart = (name: string, text: string) => ({ name, data: Buffer.from(text) })
  const files = [chart('Chart.yaml', charts.memcached['Chart.yaml']), chart('../../evil', '')]
  const folder = t.testdir({ 'watches.yaml': `- ${entry.replace('memcached', 'evil.tgz')}\n`, charts: {} })
  writeFileSync(join(folder, 'charts/evil.tgz'), await packChart('evil', files))
  await t.rejects(
    loadWatches(join(folder, 'watches.yaml')),
    /:4:10: entry 1, chart: the chart .*evil.tgz cannot be used: .*evil\/..\/..\/evil.* leaves the chart's folder/,
  )
})

void t.test('an empty list is allowed, with a warning', async (t) => {
  const warned: string[] = []
  const listen = (warning: Error) => warned.push(warning.message)
  process.on('warning', listen)
  t.teardown(() => process.off('warning', listen))
  t.strictSame(await load(t, '[]'), [])
  t.strictSame(await load(t, '# nothing\n'), [])
  await new Promise((resolve) => setImmediate(resolve))
  t.match(warned, [/watches.yaml has no entries/, /watches.yaml has no entries/])
})

void t.test('variables are expanded once, and a value stays one value', async (t) => {
  const env = { LIST: 'a,b={c}', SIZE: '3', DOLLAR: '$SIZE' }
  const lines = [
    'list: $LIST',
    `size: "\${SIZE}"`,
    `none: "\${NONE}"`,
    `other: "\${NONE:-x}"`,
    'dollar: $DOLLAR',
  ].join(', ')
  const text = `- ${entry}\n  overrideValues: {${lines}, deep: [{a: $SIZE}]}\n  overrideStringValues: {text: $SIZE}\n`
  const [watch] = await load(t, text, { env })
  t.strictSame(withOverrides({}, watch?.overrides ?? []), {
    list: 'a,b={c}',
    size: 3,
    none: '',
    other: 'x',
    dollar: '$SIZE',
    deep: [{ a: 3 }],
    text: '3',
  })
  const strict = await problem(t, 'overrideValues: {a: $NONE}', { env, strictEnv: true })
  t.match(strict, /^:5:23: entry 1, overrideValues.a: the environment variable NONE is not set$/)
})

void t.test('a value with braces is a template; without a renderer it is refused', async (t) => {
  const lines = `overrideValues: {a: '{{ "\${NAME}" | upper }}'}`
  t.match(
    await problem(t, lines, { env: { NAME: 'x', PATH: '/nowhere', HELM_ENGINE: '' } }),
    /overrideValues.a: the template "{{" cannot be rendered: charts cannot be rendered/,
  )
})

const engine = process.env.HELM_ENGINE ?? ''
const skip = engine === '' && 'HELM_ENGINE is not set: export HELM_ENGINE=$(npm run --silent helm-engine)'

void t.test('a value with braces is rendered with the functions of Helm', { skip }, async (t) => {
  const env = { NAME: 'x', HELM_ENGINE: engine }
  const [watch] = await load(
    t,
    `- ${entry}\n  overrideValues: {a: '{{ "\${NAME}" | upper }}', b: '{{ add 1 2 }}'}\n`,
    { env },
  )
  t.strictSame(withOverrides({}, watch?.overrides ?? []), { a: 'X', b: 3 })
  t.match(
    await problem(t, `overrideValues: {a: '{{ env "PATH" }}'}`, { env }),
    /overrideValues.a: the template cannot be rendered: .*"env" not defined/,
  )
})

void t.test('a path may be a URL', async (t) => {
  const folder = t.testdir({ 'watches.yaml': `- ${entry}\n`, charts })
  t.equal((await loadWatches(pathToFileURL(join(folder, 'watches.yaml')))).length, 1)
})

const definition = (group: string, kind: string, version = 'v1') =>
  `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: memcacheds.${group}}
spec: {group: ${group}, scope: Namespaced, names: {kind: ${kind}, plural: memcacheds}, versions: [{name: ${version}}]}
`

void t.test('the definition of the kind is read from a file', async (t) => {
  const crds = {
    'right.yaml': definition('cache.my.domain', 'Memcached'),
    'other.yaml': definition('cache.my.domain', 'Redis'),
    'group.yaml': definition('my.domain', 'Memcached'),
    'old.yaml': definition('cache.my.domain', 'Memcached', 'v1beta1'),
    'none.yaml': 'kind: ConfigMap\n',
    'list.yaml': '[]\n',
  }
  const read = (file: string) =>
    loadWatches(
      join(
        t.testdir({ 'watches.yaml': `- ${entry}\n  definition: crds/${file}\n`, charts, crds }),
        'watches.yaml',
      ),
    )
  const [watch] = await read('right.yaml')
  t.match(watch?.definition, { kind: 'CustomResourceDefinition', spec: { names: { plural: 'memcacheds' } } })
  const mistakes = {
    'other.yaml':
      'defines Redis of the group "cache.my.domain", and the entry is about Memcached of the group "cache.my.domain"; correct one of them',
    'group.yaml': 'defines Memcached of the group "my.domain", and the entry',
    'old.yaml': 'does not define the version v1; it defines v1beta1',
    'none.yaml': 'is not a CustomResourceDefinition',
    'list.yaml': 'is not the YAML of one object: its crds/list.yaml is not a map',
    'missing.yaml': 'cannot be read: ENOENT',
  }
  for (const [file, mistake] of Object.entries(mistakes))
    await t.rejects(read(file), new RegExp(`:5:15: entry 1, definition: crds/${file} ${mistake}`))
})
