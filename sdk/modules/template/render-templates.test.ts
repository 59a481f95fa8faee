import t from 'tap'
import { MetaData } from '../metadata/metadata.js'
import { RandomTexts } from './random-texts.js'
import { hasRandomText, renderTemplates } from './render-templates.js'

const values = {
  config: { size: 3, on: false, version: '1.20', list: ['a'], deep: { name: 'x' } },
  releaseName: 'shop',
  namespace: 'dev',
}
const render = (spec: unknown) =>
  renderTemplates(spec, { values, random: (_, length) => 'r'.repeat(length), path: 'spec.helm' })

void t.test(
  'a string that is one expression keeps the type of the value, any other stays text',
  async (t) => {
    const spec = {
      replicas: '{{ .config.size }}',
      on: '{{.config.on}}',
      list: ['{{ .config.list }}'],
      version: '{{ .config.version }}',
      twice: '{{ .config.size }}{{ .config.size }}',
      image: 'web:{{ .config.version }}',
      host: '{{ .releaseName }}.{{ .namespace }}',
      name: '{{ .config.deep.name }}',
      number: 7,
      nothing: null,
      password: 'p-{{ randBase62 4 }}',
    }
    t.strictSame(render(spec), {
      replicas: 3,
      on: false,
      list: [['a']],
      version: '1.20',
      twice: '33',
      image: 'web:1.20',
      host: 'shop.dev',
      name: 'x',
      number: 7,
      nothing: null,
      password: 'p-rrrr',
    })
  },
)

void t.test('an unknown template is refused with its path', async (t) => {
  const refused: [unknown, RegExp][] = [
    [
      { a: { b: ['', '{{ .config.sise }}'] } },
      /^spec.helm.a.b.1: the template {{ .config.sise }} is unknown; known are .config.size/,
    ],
    [{ a: '{{ .Values.x }}' }, /^spec.helm.a: the template/],
    [{ a: '{{ .config }}' }, /is unknown/],
    [{ a: '{{ .config.deep.toString }}' }, /is unknown/],
    [{ a: '{{ .config.constructor.name }}' }, /is unknown/],
    [{ a: '{{ .config.size | shout }}' }, /is unknown: the function shout does not exist; known are /],
    [{ a: 'x {{ .config.size' }, /spec.helm.a: a template has no end/],
    [{ a: '{{ randBase62 0 }}' }, /randBase62 makes 1 to 256 characters, got 0/],
    [{ a: '{{ randBase62 9999 }}' }, /got 9999/],
    [{ a: '{{ randBase62 }}' }, /is unknown/],
  ]
  for (const [spec, message] of refused) t.throws(() => render(spec), { name: 'PermanentError', message })
})

void t.test('functions, pipelines and conditions are those of Go', async (t) => {
  const spec = {
    lower: '{{ "Shop-A" | lower }}.example',
    nested: '{{ printf "%s-%d" (.releaseName | upper) .config.size }}',
    default: '{{ .config.empty | default "none" }}',
    if: 'web{{ if .config.on }}-on{{ else if eq .config.size 3 }}-three{{ else }}-off{{ end }}',
    replicas: '{{ if gt .config.size 2 }}{{ .config.size }}{{ else }}{{ 1 }}{{ end }}',
    trimmed: 'a  {{- /* nothing */ -}}  b {{- if not .config.on -}}  c  {{- end }}',
    quoted: '{{ "}}" | quote }}',
    root: '{{ $.config.deep.name | replace "x" "y" | trunc 1 }}',
    and: '{{ and .config.size (or .config.on "yes") }}',
    index: '{{ index .config.list 0 }}{{ len .config.list }}{{ join "," .config.list }}',
  }
  const config = { ...values.config, empty: '' }
  const rendered = renderTemplates(spec, {
    values: { ...values, config },
    path: 'spec.helm',
    random: (_, length) => 'r'.repeat(length),
  })
  t.strictSame(rendered, {
    lower: 'shop-a.example',
    nested: 'SHOP-3',
    default: 'none',
    if: 'web-three',
    replicas: 3,
    trimmed: 'abc',
    quoted: '"}}"',
    root: 'y',
    and: 'yes',
    index: 'a1a',
  })
})

void t.test('templates that Go has and these do not are refused with the cure', async (t) => {
  const refused: [string, RegExp][] = [
    ['{{ range .config.list }}x{{ end }}', /range is not supported; use if, or write out the values/],
    ['{{ with .config.deep }}x{{ end }}', /with is not supported/],
    ['{{ $a := 1 }}', /the template {{ \$a := 1 }} is unknown/],
    ['{{ if .config.on }}x', /its if has no {{ end }}/],
    ['x{{ end }}', /it is outside of an if/],
    ['{{ if }}x{{ end }}', /is unknown/],
    ['{{ (.config.size }}', /a parenthesis is not closed/],
    ['{{ .config.size | .config.on }}', /a function follows \|/],
    ['{{ lower }}', /lower takes 1 arguments, got 0/],
    ['{{ printf "%x" 1 }}', /printf knows/],
    ['{{ "a" | replace "" "\u0041" | lt 1 }}', /two numbers or two texts are compared/],
    [`{{ ${'('.repeat(40)}1${')'.repeat(40)} }}`, /parentheses are nested/],
    [`${'{{ if true }}'.repeat(40)}x${'{{ end }}'.repeat(40)}`, /conditions are nested/],
  ]
  for (const [a, message] of refused) t.throws(() => render({ a }), { name: 'PermanentError', message })
  const steps = `| replace "a" "${'a'.repeat(64)}" `.repeat(9)
  const grows = `{{ "aaaaaaaaaaaaaaaa" ${steps}}}`
  t.throws(() => render({ a: grows }), /replace takes texts of 1024 characters|makes more than/)
  const joins = {
    values: { config: { between: 'a'.repeat(6_000), list: Array(100_000).fill('') } },
    path: 'spec',
  }
  const join = { a: '{{ join .config.between .config.list }}' }
  t.throws(() => renderTemplates(join, { ...joins, random: () => '' }), /join makes more than 65536/)
  const began = process.cpuUsage().user / 1000
  t.throws(() => render({ a: '{{'.repeat(50_000) }))
  t.notOk(hasRandomText({ a: '{{ '.repeat(50_000) }))
  t.ok(process.cpuUsage().user / 1000 - began < 1_000, 'also one that is made to take long')
})

void t.test('short templates of long values are refused before they fill the memory', async (t) => {
  const limit = 4 * 1024 * 1024
  const config = { text: 'a'.repeat(65_536), object: { text: 'a'.repeat(65_525) } }
  const renderLong = (spec: unknown) =>
    renderTemplates(spec, { values: { config }, random: () => '', path: 'spec.helm' })
  const fits = renderLong({ a: '{{ .config.text }}'.repeat(64) }) as { a: string }
  t.equal(fits.a.length, limit)
  const message =
    /^spec.helm.b: with the template {{ .config.text }} the templates of spec.helm make more than 4194304 characters; use long values/
  const refused: [string, unknown][] = [
    ['one field', { b: '{{ .config.text }}'.repeat(65) }],
    ['several fields together', { a: '{{ .config.text }}'.repeat(64), b: '{{ .config.text }}' }],
    ['objects', { a: Array(64).fill('{{ .config.object }}'), b: '{{ .config.text }}' }],
    ['results of functions', { a: Array(32).fill('{{ .config.text | lower }}'), b: '{{ .config.text }}' }],
  ]
  for (const [name, spec] of refused)
    t.throws(() => renderLong(spec), { name: 'PermanentError', message }, name)
})

void t.test('random texts are drawn once, and survive in the metadata', async (t) => {
  const stored: unknown[] = []
  const store = async (all: unknown) => void stored.push(all)
  const metaData = new MetaData({ maxBytes: 1_000, store })
  const texts = new RandomTexts(metaData)
  const spec = { one: '{{ randBase62 20 }}', two: '{{ randBase62 20 }} {{ randBase62 20 }}' }
  const first = renderTemplates(spec, { values, random: texts.draw, path: 'spec' }) as typeof spec
  await texts.save()
  t.match(first.one, /^[0-9A-Za-z]{20}$/)
  const all = [first.one, ...first.two.split(' ')]
  t.equal(new Set(all).size, 3)
  t.equal(stored.length, 1)
  const after = new MetaData({ maxBytes: 1_000, store })
  after.parse(JSON.stringify(stored[0]))
  const again = new RandomTexts(after)
  t.strictSame(renderTemplates(spec, { values, random: again.draw, path: 'spec' }), first)
  await again.save()
  t.equal(stored.length, 1, 'nothing new')
})

void t.test('a spec with random texts is found', async (t) => {
  t.ok(hasRandomText({ a: [{ b: 'x{{randBase62 3}}' }] }))
  t.notOk(hasRandomText({ a: ['randBase62 3', null, '{{ .config.randBase62 }}'] }))
})
