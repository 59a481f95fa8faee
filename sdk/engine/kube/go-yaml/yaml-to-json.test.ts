// Tests that a short text of YAML takes no more time and memory than a long one.
import t from 'tap'
import { yamlToJson } from './yaml-to-json.js'

const excessive = { name: 'SyntaxError', message: 'yaml: document contains excessive aliasing' }

void t.test('an alias is the last value before it with its anchor', async (t) => {
  const read = (text: string) => JSON.parse(yamlToJson(text).json)
  t.strictSame(read('a: &x 1\nb: *x\nc: &x 2\nd: [*x, *x]\n'), { a: 1, b: 1, c: 2, d: [2, 2] })
  t.strictSame(read('a: &x {k: 1}\nb: {<<: *x, l: 2}\n'), { a: { k: 1 }, b: { k: 1, l: 2 } })
  t.throws(() => read('a: *x\nb: &x 1\n'), { message: "yaml: unknown anchor 'x' referenced" })
})

void t.test('aliases that expand to too much are refused', async (t) => {
  // Each of these takes minutes, hours or gigabytes, unless its parts are counted before they are made.
  const level = (at: number, text: string) => `a${at}: &a${at} ${text}\n`
  const ten = (at: number) => Array(10).fill(`*a${at}`).join(', ')
  const levels = (of: (at: number) => string) =>
    level(0, '{}') + Array.from({ length: 12 }, (_, at) => level(at + 1, of(at))).join('')
  t.throws(() => yamlToJson(levels((at) => `[${ten(at)}]`)), excessive)
  t.throws(() => yamlToJson(levels((at) => `{<<: [${ten(at)}]}`)), excessive)
  const long = `a: &a ${'x'.repeat(300_000)}\nb: [${Array(1_000).fill('*a').join(', ')}]\n`
  t.throws(() => yamlToJson(long), excessive)
})

void t.test('many aliases, and many errors of one line, take linear time', async (t) => {
  const many = `a: &a 1\nb: [${Array(40_000).fill('*a').join(',')}]\n`
  t.equal(JSON.parse(yamlToJson(many).json).b.length, 40_000)
  t.throws(() => yamlToJson('"'.repeat(90_000)), { message: /^yaml: line 1: / })
})
