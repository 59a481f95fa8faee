import t from 'tap'
import * as z from 'zod'
import { jsonText } from './json-text.js'
import { readParameters, writeParameters } from './parameters.js'

const schema = z.strictObject({
  size: z.coerce.number().int().default(1),
  labels: jsonText(z.record(z.string(), z.string()).default({})),
})

void t.test('texts become the values of a schema, with its defaults', (t) => {
  t.strictSame(readParameters(schema, {}), { ok: true, parameters: { size: 1, labels: {} } })
  const read = readParameters(schema, { size: '3', labels: '{"team":"a"}' })
  t.strictSame(read, { ok: true, parameters: { size: 3, labels: { team: 'a' } } })
  t.strictSame(readParameters(schema, { labels: ' ' }), { ok: true, parameters: { size: 1, labels: {} } })
  t.end()
})

void t.test('each mistake has its own path and its text', (t) => {
  t.match(readParameters(schema, { sise: '3', labels: 'a' }), {
    ok: false,
    problems: [
      { path: ['labels'], value: 'a', message: 'is not JSON' },
      { path: ['sise'], value: '3', message: 'is not a parameter of this plugin (did you mean size?)' },
    ],
  })
  t.match(readParameters(schema, { replicas: '3' }), {
    problems: [{ message: 'is not a parameter of this plugin (it has size, labels)' }],
  })
  const nested = z.strictObject({ team: jsonText(z.strictObject({ name: z.string() })) })
  t.match(readParameters(nested, { team: '{"name":"a","nam":"b"}' }), {
    problems: [{ path: ['team', 'nam'], message: 'is not a parameter of this plugin (remove it)' }],
  })
  t.end()
})

void t.test('of very many problems the first are named, and the others are counted', (t) => {
  const texts = Object.fromEntries(Array.from({ length: 190_000 }, (_, index) => [`key${index}`, '']))
  const read = readParameters(schema, { ...texts, ['s'.repeat(1_000_000)]: '' })
  if (read.ok) return t.fail('the parameters are accepted')
  t.equal(read.problems.length, 21)
  t.match(read.problems[0], { path: ['key0'], message: 'is not a parameter of this plugin (it has' })
  t.strictSame(read.problems[20], {
    path: [],
    value: '',
    message: '189981 more problems are not shown; correct these first',
  })
  return t.end()
})

void t.test('a very long name takes little time', (t) => {
  const long = 's'.repeat(1_000_000)
  const names = Array.from({ length: 200 }, (_, index) => `${'a'.repeat(1_000)}${index}`)
  const many = z.strictObject(Object.fromEntries(names.map((name) => [name, z.string().optional()])))
  t.match(readParameters(many, { [long]: '' }), {
    problems: [{ path: [long], message: 'is not a parameter of this plugin (it has a' }],
  })
  t.end()
})

void t.test('a parameter that is missing, and one beyond a limit, are said in plain words', (t) => {
  const team = z.object({ team: z.string().min(1), size: z.coerce.number().max(5).default(1) })
  t.strictSame(readParameters(team, { size: '7' }), {
    ok: false,
    problems: [
      { path: ['team'], value: '', message: 'is required; set it' },
      { path: ['size'], value: '7', message: 'must be at most 5' },
    ],
  })
  t.end()
})

void t.test('values become texts again, and one without a text form is refused', (t) => {
  t.strictSame(writeParameters(schema, { size: 3, labels: { team: 'a' } }), {
    size: '3',
    labels: '{"team":"a"}',
  })
  const lists = z.object({ names: z.array(z.string()) })
  t.throws(() => writeParameters(lists, { names: [] }), {
    message: /names has no text form: declare it with jsonText/,
  })
  t.end()
})
