import t from 'tap'
import type { FileChart } from '../chart/chart.js'
import { chartOfFiles } from '../chart/chart-of-files.js'
import type { JsonObject } from '../chart/json-object.js'
import { doubtfulValues } from './doubtful-values.js'

const chartOf = (files: Record<string, string>): Promise<FileChart> => {
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n', ...files }
  return chartOfFiles(
    Object.entries(all).map(([name, text]) => ({ name, data: Buffer.from(text) })),
    'web',
  )
}

const chart = await chartOf({
  'Chart.yaml':
    'apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{name: db, alias: store, condition: storeOn}, {name: db}]\n',
  'values.yaml': `
replicaCount: 1
image: {repository: nginx, tag: ""}
nodeSelector: {}
podLabels: {team: a}
securityContext: {runAsUser: 1, fsGroup: 2}
annotations: {example.com/a: b}
hosts: [a]
debug: true
quiet: false
limit: 10
servicePort: 80
# extraArg: [--verbose]
empty: ""
none: null
`,
  'templates/a.yaml': `
image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
labels: {{- toYaml .Values.podLabels | nindent 2 }}
{{- with .Values.podLabels }}{{ .team }}{{ end }}
securityContext: {{- toYaml .Values.securityContext | nindent 2 }}
hidden: {{ .Values.hidden.deep.value }}
other: {{ index .Values "indexed" }}
`,
  'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
  'charts/db/values.yaml': 'diskSize: 1\nauth: {userName: a}\n',
  'charts/db/templates/a.yaml': 'a: {{ .Values.auth.userName }} {{ .Values.diskSize }}',
})
const found = (values: JsonObject, of = chart) =>
  doubtfulValues(of, values).map(({ path, problem }) => `${path}: ${problem}`)

void t.test('a key that nothing in the chart names is found, with the key that it may mean', async (t) => {
  t.strictSame(found({ replicCount: 3, image: { tga: '1' }, other_thing: {} }), [
    'replicCount: nothing in the chart reads it; did you mean replicaCount?',
    'image.tga: nothing in the chart reads it',
    'other_thing: nothing in the chart reads it',
  ])
  t.strictSame(found({ store: { auth: { userNam: 'b' } }, db: { diskSiz: 2 } }), [
    'store.auth.userNam: nothing in the chart reads it; did you mean userName?',
    'db.diskSiz: nothing in the chart reads it; did you mean diskSize?',
  ])
})

void t.test('keys that the chart may read are not', async (t) => {
  t.strictSame(
    found({
      hidden: { deep: { value: 1 } },
      indexed: 1,
      extraArg: [],
      storeOn: true,
      global: { a: 1 },
      nodeSelector: { some_key: 'b' },
      podLabels: { anything: 'b' },
      hosts: [{ some_key: 1 }],
      securityContext: { runAsGroup: 3 },
      annotations: { 'example.com/c': 'd', some_key: 'e' },
      store: { global: {} },
    }),
    [],
    'in a comment, in a template, in Chart.yaml, in an empty map, in one that is printed as a whole, in a list',
  )
  const open = await chartOf({
    'values.yaml': 'a: 1',
    'templates/a.yaml': '{{ range $key, $one := .Values }}{{ end }}',
  })
  t.strictSame(found({ some_key: 1 }, open), [])
  const passing = await chartOf({
    'templates/a.yaml': '{{ tpl .Values.a (dict "Values" $.Values "Chart" .Chart) }}',
  })
  t.strictSame(found({ some_key: 1 }, passing), ['some_key: nothing in the chart reads it'])
})

void t.test('a value of another type than the default is found, without the value', async (t) => {
  t.strictSame(
    found({ replicaCount: { a: 1 }, image: 'nginx', hosts: 'a', debug: 'false', quiet: 'no', limit: 'many' }),
    [
      'replicaCount: it is a map, but a number by default',
      'image: it is text, but a map by default',
      'hosts: it is text, but a list by default',
      'debug: it is text, which templates take for true; write it without quotes',
      'quiet: it is text, which templates take for true; write it without quotes',
      'limit: it is text, but a number by default',
    ],
  )
  t.strictSame(
    found({
      replicaCount: '3',
      limit: '50%',
      servicePort: 'http',
      debug: null,
      hosts: null,
      image: { tag: 1 },
      empty: { a: 1 },
      none: [],
      quiet: { a: 1 },
    }),
    [],
  )
})

void t.test('a user who writes many keys costs little time', async (t) => {
  const values = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`some_key_${at}`, at]))
  const before = process.cpuUsage().user
  t.equal(found({ ...values, ['x'.repeat(1_000_000)]: 1 }).length, 100)
  t.ok(process.cpuUsage(undefined).user - before < 2_000_000)
})

void t.test('templates of megabytes that name a value many times are searched once', async (t) => {
  const repeated = await chartOf({
    'values.yaml': 'labels: {team: a}\n',
    'templates/a.yaml': `.team ${'.labels '.repeat(600_000)}`,
  })
  t.match(doubtfulValues(repeated, { labels: { other: 'b' } }), [{ path: 'labels.other' }])
  const long = 'a'.repeat(100)
  const words = await chartOf({ 'templates/a.yaml': 'a'.repeat(5_000_000) })
  t.match(doubtfulValues(words, { [long]: 1 }), [{ path: long }])
})

void t.test('a map with thousands of keys may have any other key', async (t) => {
  const names = Array.from({ length: 2_000 }, (_, index) => `key${index}`)
  const many = await chartOf({
    'values.yaml': `labels: {${names.map((name) => `${name}: ""`).join()}}\n`,
    'templates/a.yaml': `${'x'.repeat(4_000_000)}${names.map((name) => `{{ .Values.labels.${name} }}`).join('')}`,
  })
  t.same(doubtfulValues(many, { labels: { other: 'b' } }), [])
})
