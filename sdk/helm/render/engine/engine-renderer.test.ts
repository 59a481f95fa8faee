// Tests the template engine as WebAssembly: what templates get, what they cannot do, and its end when they never end.
import t, { type Test } from 'tap'
import type { FileChart } from '../../chart/chart.js'
import { chartOfFiles } from '../../chart/chart-of-files.js'
import { objectsOf } from '../manifest.js'
import { RenderError } from '../render-error.js'
import type { ChartRenderer, Lookup, RenderRequest } from '../renderer.js'
import { engineRenderer } from './engine-renderer.js'

const engine = process.env.HELM_ENGINE ?? ''
const skip = engine === '' && 'HELM_ENGINE is not set: export HELM_ENGINE=$(npm run --silent helm-engine)'
const signal = new AbortController().signal

const chartOf = (files: Record<string, string>): Promise<FileChart> => {
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\n', ...files }
  return chartOfFiles(
    Object.entries(all).map(([name, text]) => ({ name, data: Buffer.from(text) })),
    'demo',
  )
}

const configMap = (data: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  text: ${data}\n`

function requestOf(chart: FileChart, more: Partial<RenderRequest> = {}): RenderRequest {
  return {
    chart,
    values: {},
    capabilities: { kubeVersion: 'v1.36.3', apiVersions: ['v1', 'apps/v1'] },
    release: { name: 'demo', namespace: 'ns', revision: 7, isInstall: true },
    ...more,
  }
}

/** The text that one template renders to. */
async function textOf(renderer: ChartRenderer, template: string, more: Partial<RenderRequest> = {}) {
  const chart = await chartOf({ 'templates/a.yaml': configMap(template) })
  const { objects } = await renderer.render(requestOf(chart, more), signal)
  return (objects[0]?.object as { data?: { text?: string } } | undefined)?.data?.text
}

/** One renderer for most tests: each new one compiles the engine again. */
let shared: Promise<ChartRenderer> | undefined

async function started(
  t: Test,
  options?: { timeoutMs?: number; memoryMiB?: number },
): Promise<ChartRenderer> {
  if (!options && shared) return shared
  const renderer = await engineRenderer({ engine, ...options })
  if (options) t.teardown(() => renderer.close())
  else shared = Promise.resolve(renderer)
  return renderer
}

t.teardown(async () => (await shared)?.close())

void t.test(
  'templates see the release, the capabilities and all digits of a number that is text',
  { skip },
  async (t) => {
    const renderer = await started(t)
    const release =
      '{{ printf "%s %s %d %t %t" .Release.Name .Release.Namespace .Release.Revision .Release.IsInstall .Release.IsUpgrade | quote }}'
    t.equal(await textOf(renderer, release), 'demo ns 7 true false')
    t.equal(await textOf(renderer, '{{ .Capabilities.APIVersions | toJson | quote }}'), '["v1","apps/v1"]')
    t.equal(await textOf(renderer, '{{ .Capabilities.KubeVersion.Version }}'), 'v1.36.3')
    t.equal(await textOf(renderer, '{{ .Values.text | quote }}', { values: { text: '1.20' } }), '1.20')
    t.equal(
      await textOf(renderer, '{{ .Values.n | quote }}', { values: { n: 1000000 } }),
      '1e+06',
      'as helm prints it',
    )
    t.equal(
      await textOf(renderer, '{{ .Values.n | toJson | quote }}', { values: { n: 12345678901234567n } }),
      '12345678901234568',
    )
  },
)

void t.test('notes, hooks, definitions and the record of the chart are given', { skip }, async (t) => {
  const renderer = await started(t)
  const chart = await chartOf({
    'templates/NOTES.txt': 'Revision {{ .Release.Revision }}',
    'templates/hook.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata: {name: h, annotations: {helm.sh/hook: test}}\n',
    'crds/a.yaml':
      'kind: CustomResourceDefinition\napiVersion: v1\nmetadata: {name: a}\n---\nkind: CustomResourceDefinition\napiVersion: v1\nmetadata: {name: b}\n',
    'values.yaml': 'a: 1',
    'values.schema.json': '{}',
    'README.md': 'read',
  })
  const rendered = await renderer.render(requestOf(chart), signal)
  t.equal(rendered.notes, 'Revision 7')
  t.match(rendered.hooks, [
    { name: 'h', kind: 'Pod', path: 'demo/templates/hook.yaml', events: ['test'], weight: 0 },
  ])
  t.strictSame(
    rendered.crds.map(({ object }) => object.metadata.name),
    ['a', 'b'],
  )
  t.match(rendered.chart, {
    metadata: { name: 'demo', version: '1.0.0' },
    values: { a: 1 },
    schema: 'e30=',
    templates: [{ name: 'templates/NOTES.txt' }, { name: 'templates/hook.yaml' }],
    files: [{ name: 'crds/a.yaml' }, { name: 'README.md', data: 'cmVhZA==' }],
  })
})

void t.test(
  'a file in crds/ without an object is an error that names it, unless crds/ is left out',
  { skip },
  async (t) => {
    const renderer = await started(t)
    const chart = await chartOf({
      'templates/a.yaml': configMap('a'),
      'crds/a.yaml': 'kind: CustomResourceDefinition\napiVersion: v1\nmetadata: {name: a}\n',
      'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
      'charts/sub/crds/kustomization.yaml': 'resources: [a.yaml]\n',
      'charts/sub/crds/broken.yaml': 'a: [\n',
    })
    const error = await renderer.render(requestOf(chart), signal).catch((error: unknown) => error)
    t.match(error, {
      reason: 'RenderError',
      message: /^demo\/charts\/sub\/crds\/broken.yaml does not render to YAML/,
    })
    const skipped = await renderer.render(requestOf(chart, { skipCrds: true }), signal)
    t.strictSame([skipped.crds, skipped.objects.length], [[], 1])
    t.match(skipped.chart.files, [{ name: 'crds/a.yaml' }], 'the record has them')
    const files = chart.files.filter(({ name }) => !name.endsWith('broken.yaml'))
    await t.rejects(renderer.render(requestOf(await chartOfFiles(files, 'demo')), signal), {
      reason: 'RenderError',
      message:
        /^demo\/charts\/sub\/crds\/kustomization.yaml contains an object without apiVersion, kind, metadata.name; correct this file/,
    })
  },
)

void t.test('lookup is answered, also if one answer leads to the next', { skip }, async (t) => {
  const renderer = await started(t)
  const asked: string[] = []
  const lookup: Lookup = async ({ apiVersion, kind, namespace, name }) => {
    asked.push([apiVersion, kind, namespace, name].join(' '))
    return name === 'none' ? undefined : { data: { next: `after-${name}` }, items: [{}, {}] }
  }
  const chain =
    '{{ $a := lookup "v1" "ConfigMap" "ns" "first" }}{{ (lookup "v1" "ConfigMap" "ns" (dig "data" "next" "none" $a)).data.next }}'
  t.equal(await textOf(renderer, chain, { lookup }), 'after-after-first')
  t.strictSame(asked, ['v1 ConfigMap ns first', 'v1 ConfigMap ns after-first'], 'each one while it renders')
  t.equal(await textOf(renderer, '{{ len (lookup "v1" "Node" "" "").items | quote }}', { lookup }), '2')
  t.equal(
    await textOf(renderer, '{{ len (lookup "v1" "Node" "" "") | quote }}'),
    '0',
    'without a function to ask',
  )
  const loop =
    '{{ $n := "a" }}{{ range until 20 }}{{ $n = dig "next" $n (lookup "v1" "Node" "" $n) }}{{ end }}{{ $n }}'
  const next: Lookup = async ({ name }) => ({ next: `${name}x` })
  t.equal(await textOf(renderer, loop, { lookup: next }), `a${'x'.repeat(20)}`)
})

void t.test(
  'a lookup that takes long does not hold the thread: the chart is rendered again with the answer',
  { skip },
  async (t) => {
    const renderer = await started(t)
    const held = { names: [] as string[], release: () => {} }
    const released = new Promise<void>((resolve) => {
      held.release = resolve
    })
    const slow: Lookup = async ({ name }) => {
      held.names.push(name)
      await released
      return { found: name }
    }
    const two =
      '{{ (lookup "v1" "Node" "" "a").found }}{{ (lookup "v1" "Node" "" "b").found }}{{ (lookup "v1" "Node" "" "c").found }}'
    const text = textOf(renderer, two, { lookup: slow })
    while (held.names.length < 3) await new Promise((resolve) => setTimeout(resolve, 20))
    t.strictSame(held.names, ['a', 'b', 'c'], 'all are asked for, each once, when the first one is late')
    t.equal(await textOf(renderer, 'other'), 'other')
    held.release()
    t.equal(await text, 'abc')
  },
)

void t.test('a rendering with too many lookups fails, and asks for no more', { skip }, async (t) => {
  const renderer = await started(t)
  const names = new Set<string>()
  const lookup: Lookup = async ({ name }) => {
    names.add(name)
    return undefined
  }
  const many = (count: number) =>
    `{{ range until ${count} }}{{ lookup "v1" "ConfigMap" "ns" (print .) }}{{ end }}done`
  await t.rejects(textOf(renderer, many(20_000), { lookup }), {
    name: 'RenderError',
    message: /^the templates look up more than 1000 objects; look up a list/,
  })
  t.ok(names.size <= 1_000, `${names.size} were asked for`)
  t.match(await textOf(renderer, many(1_000), { lookup }), /done$/)
})

void t.test('a lookup that fails is the error of the rendering', { skip }, async (t) => {
  const renderer = await started(t)
  const lookup: Lookup = async () => {
    throw new Error('not today')
  }
  await t.rejects(textOf(renderer, '{{ lookup "v1" "Node" "" "a" }}', { lookup }), { message: 'not today' })
})

void t.test(
  'a chart is rendered with other seeds in one go, if its text depends on them',
  { skip },
  async (t) => {
    const renderer = await started(t)
    const render = async (template: string, values = {}) => {
      const chart = await chartOf({
        'templates/a.yaml': `${configMap(template)}---
${configMap('same').replace('name: a', 'name: b')}`,
        'templates/hook.yaml': configMap(template).replace('{', '{annotations: {helm.sh/hook: test}, '),
        'templates/NOTES.txt': template,
        'crds/a.yaml': 'kind: CustomResourceDefinition\napiVersion: v1\nmetadata: {name: a}\n',
      })
      const repeat = (seed: string, nowMs = 0) => ({ seed, nowMs })
      const variants = [repeat('two'), repeat('three', 86_400_000)]
      return renderer.render(requestOf(chart, { values, repeat: repeat('one'), variants }), signal)
    }
    const functions = [
      'randAlphaNum 20',
      '(genCA "a" 365).Cert | b64enc',
      'now | unixEpoch',
      'date "2006-01-02" ""',
    ]
    for (const call of functions) {
      const template = `{{ ${call} | quote }}`
      const rendered = await render(template)
      t.equal(rendered.isRandom, true, call)
      const all = [rendered, ...(rendered.variants ?? [])]
      t.equal(all.length, 3)
      const texts = all.map(({ objects }) => JSON.stringify(objects[0]?.object))
      t.equal(new Set(texts).size, /now|date/.test(call) ? 2 : 3, `${call}: ${texts}`)
      for (const { objects, hooks, manifest, crds, notes } of all) {
        t.match(objects, [{}, { source: 'demo/templates/a.yaml', object: { data: { text: 'same' } } }])
        t.match(hooks, [{ name: 'a' }])
        t.match(crds, [{ object: { metadata: { name: 'a' } } }])
        t.strictSame(await objectsOf(manifest), objects, 'the manifest has the objects')
        t.ok(notes.length > 2)
      }
      t.strictSame(await render(template), rendered, 'equal seeds have equal variants')
    }
    const without = await render('{{ .Values.text | sha256sum }}', { text: '{{ randAlphaNum 3 }}' })
    t.match(without, { isRandom: false, variants: undefined })
    const inValue = await render('{{ tpl .Values.text . }}', { text: '{{ randAlphaNum 3 }}' })
    t.equal(inValue.variants?.length, 2)
    const changed = await render(
      '{{ $_ := set .Values "n" (add (.Values.n | default 0) 1) }}n{{ .Values.n }}{{ randNumeric 3 }}',
    )
    for (const { notes } of [changed, ...(changed.variants ?? [])])
      t.match(notes, /^n3\d{3}$/, 'no rendering sees the values that another one has changed')
  },
)

void t.test(
  'a chart that comes to a limit with other seeds is rendered without them',
  { skip },
  async (t) => {
    const renderer = await started(t, { timeoutMs: 20_000 })
    const loop = '{{ if eq (now | date "2006") "1971" }}{{ range until 2000000000 }}{{ end }}{{ end }}text'
    const chart = await chartOf({ 'templates/a.yaml': configMap(loop) })
    const seeds = {
      repeat: { seed: 'one', nowMs: 0 },
      variants: [{ seed: 'two', nowMs: 400 * 86_400_000 }],
    }
    const { objects, variants } = await renderer.render(requestOf(chart, seeds), signal)
    t.match(objects, [{ object: { data: { text: 'text' } } }])
    t.equal(variants, undefined)
  },
)

void t.test('the keys and the values of a dictionary are sorted', { skip }, async (t) => {
  const renderer = await started(t)
  const dictionary = '(dict "b" 1 "d" 2 "a" 3 "c" 4)'
  t.equal(await textOf(renderer, `{{ keys ${dictionary} (dict "z" 0 "y" 0) | join "" }}`), 'abcdyz')
  t.equal(await textOf(renderer, `{{ values ${dictionary} | join "" | quote }}`), '3142')
})

void t.test(
  'random text, keys and certificates repeat with equal seeds, and not otherwise',
  { skip },
  async (t) => {
    const renderer = await started(t)
    const functions = [
      'randAlphaNum 20',
      'uuidv4',
      'genPrivateKey "ecdsa"',
      '(genCA "a" 365).Cert',
      'htpasswd "a" "b"',
      'now',
    ]
    for (const call of functions) {
      const template = `{{ ${call} | toString | b64enc | quote }}`
      const text = (seed: string, nowMs = 1_800_000_000_000) =>
        textOf(renderer, template, { repeat: { seed, nowMs } })
      const first = await text('one')
      t.equal(await text('one'), first, `${call}: equal seeds`)
      if (call !== 'now') t.not(await text('two'), first, `${call}: another seed`)
    }
    const tpl = { values: { text: '{{ randAlphaNum 9 }}' }, repeat: { seed: 'one', nowMs: 0 } }
    t.equal(
      await textOf(renderer, '{{ tpl .Values.text . }}', tpl),
      await textOf(renderer, '{{ tpl .Values.text . }}', tpl),
      'in a value',
    )
    t.not(await textOf(renderer, '{{ uuidv4 }}'), await textOf(renderer, '{{ uuidv4 }}'), 'without a seed')
  },
)

void t.test('errors say whether templates or values are wrong, and where', { skip }, async (t) => {
  const renderer = await started(t)
  const refusal = async (files: Record<string, string>, values = {}) => {
    const error = await renderer
      .render(requestOf(await chartOf(files), { values }), signal)
      .catch((e: unknown) => e)
    return error instanceof RenderError ? `${error.reason}: ${error.message}` : `not refused: ${error}`
  }
  t.match(
    await refusal({ 'templates/a.yaml': 'a: {{ required "b is needed" .Values.b }}' }),
    /^RenderError: execution error at \(demo\/templates\/a.yaml:1:6\): b is needed/,
  )
  t.match(await refusal({ 'templates/a.yaml': '{{ fail "no" }}' }), /demo\/templates\/a.yaml:1:3\): no/)
  t.match(
    await refusal({ 'templates/a.yaml': '{{ .x' }),
    /^RenderError: parse error at \(demo\/templates\/a.yaml:1\)/,
  )
  t.match(
    await refusal({ 'templates/a.yaml': 'a: [' }),
    /^RenderError: YAML parse error on demo\/templates\/a.yaml/,
  )
  t.match(
    await refusal({ 'templates/a.yaml': 'kind: A' }),
    /^RenderError: demo\/templates\/a.yaml renders to an object of kind A without apiVersion, metadata.name/,
  )
  t.match(
    await refusal({ 'Chart.yaml': 'name: demo\nversion: 1.0.0\nkubeVersion: ">=2.0.0"' }),
    /^RenderError: the chart requires Kubernetes >=2.0.0/,
  )
  const schema = '{"properties": {"port": {"type": "integer", "maximum": 9}}}'
  t.match(
    await refusal({ 'values.schema.json': schema }, { port: 10 }),
    /^InvalidValues: the values of the chart demo do not fit its schema: port: must be at most 9, got 10; correct the values$/,
  )
})

void t.test('templates reach no environment and no network', { skip }, async (t) => {
  const renderer = await started(t)
  t.match(await textOf(renderer, '{{ getHostByName "localhost" | quote }}'), '')
  const chart = await chartOf({ 'templates/a.yaml': '{{ env "PATH" }}' })
  await t.rejects(renderer.render(requestOf(chart), signal), { message: /function "env" not defined/ })
})

const endless =
  '{{ $l := until 1000 }}{{ range $l }}{{ range $l }}{{ range $l }}{{ range $l }}{{ end }}{{ end }}{{ end }}{{ end }}'

void t.test('a template that never ends is ended; the next one works', { skip }, async (t) => {
  const renderer = await started(t, { timeoutMs: 5000 })
  await t.rejects(textOf(renderer, endless), {
    reason: 'RenderError',
    message: /^the chart was not rendered within 5 s; /,
  })
  // A renderer of the same engine, with more time for the start of a thread.
  t.equal(await textOf(await started(t), 'next'), 'next')
})

void t.test('a template that needs too much memory is ended; the next one works', { skip }, async (t) => {
  const renderer = await started(t, { memoryMiB: 96 })
  const message =
    /^the chart cannot be rendered: a template needs more memory than the renderer's memoryMiB allows/
  const refused = { reason: 'RenderError', message }
  await t.rejects(textOf(renderer, '{{ repeat 20000000 "{}," }}'), refused)
  await t.rejects(textOf(renderer, '{{ range until 100000000 }}{{ end }}'), refused)
  const large = '{{ $x := "0123456789" }}{{ range until 30 }}{{ $x = printf "%s%s" $x $x }}{{ end }}{{ $x }}'
  await t.rejects(textOf(renderer, large), refused)
  const recursion = '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}'
  await t.rejects(textOf(renderer, recursion), { reason: 'RenderError', message: /./ })
  t.equal(await textOf(renderer, 'next'), 'next')
})

void t.test('an aborted rendering rejects with the reason, and the next one works', { skip }, async (t) => {
  const renderer = await started(t)
  const abort = new AbortController()
  const chart = await chartOf({ 'templates/a.yaml': endless })
  const rendering = renderer.render(requestOf(chart), abort.signal)
  abort.abort(new Error('stopped'))
  await t.rejects(rendering, { message: 'stopped' })
  t.equal(await textOf(renderer, 'next'), 'next')
})

void t.test('hooks with an event that Helm does not know are left out and named', { skip }, async (t) => {
  const renderer = await started(t)
  const hook = (name: string, events: string) =>
    `kind: Job\napiVersion: batch/v1\nmetadata: {name: ${name}, annotations: {helm.sh/hook: "${events}"}}\n`
  const files = {
    'templates/a.yaml': `${hook('odd', 'pre-install, sometimes')}---\n${hook('fine', 'test-success')}---\n${configMap('x')}`,
    'templates/b.yaml': hook('empty', 'pre-install,'),
  }
  const { hooks, leftOut } = await renderer.render(requestOf(await chartOf(files)), signal)
  t.strictSame(
    hooks.map(({ name }) => name),
    ['fine'],
  )
  t.strictSame(leftOut, [
    'Job odd of demo/templates/a.yaml (pre-install, sometimes)',
    'Job empty of demo/templates/b.yaml (pre-install,)',
  ])
  t.equal((await renderer.render(requestOf(await chartOf({})), signal)).leftOut, undefined)
})
