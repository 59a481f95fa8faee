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
      ...{ replicas: 3, on: false, list: [['a']], version: '1.20', twice: '33', image: 'web:1.20' },
      ...{ host: 'shop.dev', name: 'x', number: 7, nothing: null, password: 'p-rrrr' },
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
    [{ a: '{{ .config.size | quote }}' }, /is unknown/],
    [{ a: 'x {{ .config.size' }, /spec.helm.a: a template has no end/],
    [{ a: '{{ randBase62 0 }}' }, /randBase62 makes 1 to 256 characters, got 0/],
    [{ a: '{{ randBase62 9999 }}' }, /got 9999/],
    [{ a: '{{ randBase62 }}' }, /is unknown/],
  ]
  for (const [spec, message] of refused) t.throws(() => render(spec), { name: 'PermanentError', message })
})

void t.test('random texts are drawn once, and survive in the metadata', async (t) => {
  const stored: unknown[] = []
  const store = async (all: unknown) => void stored.push(all)
  const metaData = new MetaData({ limitBytes: 1_000, store })
  const texts = new RandomTexts(metaData)
  const spec = { one: '{{ randBase62 20 }}', two: '{{ randBase62 20 }} {{ randBase62 20 }}' }
  const first = renderTemplates(spec, { values, random: texts.draw, path: 'spec' }) as typeof spec
  await texts.save()
  t.match(first.one, /^[0-9A-Za-z]{20}$/)
  const all = [first.one, ...first.two.split(' ')]
  t.equal(new Set(all).size, 3)
  t.equal(stored.length, 1)
  const after = new MetaData({ limitBytes: 1_000, store })
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
