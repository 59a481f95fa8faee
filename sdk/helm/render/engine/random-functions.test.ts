// Tests which values and charts may give random text, and that large ones are searched once.
import t from 'tap'
import type { FileChart } from '../../chart/chart.js'
import { mayBeRandom } from './random-functions.js'

const chartOf = (text: string): FileChart => {
  const templates = [{ name: 'templates/a.yaml', data: Buffer.from(text) }]
  const metadata = { apiVersion: 'v2', name: 'shop', version: '1.0.0' }
  return { source: 'shop', metadata, files: templates, templates, otherFiles: [], subcharts: [], values: {} }
}
const plain = chartOf('a: 1')

void t.test('a random function is one in an action of a template or of a value', async (t) => {
  for (const text of [
    '{{ now }}',
    '{{- randAlphaNum 5 -}}',
    'a {{ .b }} {{{ genCA "a" 1 }}}',
    '{{ date "2006" }}',
    '{{ now',
    '{{ {{ now }}',
  ]) {
    t.ok(mayBeRandom(chartOf(text), {}), text)
    t.ok(mayBeRandom(plain, { deep: [{ text }] }), text)
  }
  for (const text of [
    'now',
    '}} now {{',
    '{{ .a }} now',
    '{{ known }}',
    '{{ date }}',
    '{ { now } }',
    '{{ }}}} now',
  ]) {
    t.notOk(mayBeRandom(chartOf(text), {}), text)
    t.notOk(mayBeRandom(plain, { deep: [{ text }] }), text)
  }
})

const size = 1_000_000

void t.test('megabytes of such words, actions or braces are searched once', async (t) => {
  for (const text of [
    'now '.repeat(size),
    `{{ }}${'now '.repeat(size)}`,
    '{{'.repeat(size),
    '{{ }} now '.repeat(size),
  ]) {
    t.notOk(mayBeRandom(plain, { text }))
    t.notOk(mayBeRandom(chartOf(text), {}))
  }
})
