import t from 'tap'
import { coalesceValues } from './coalesce.js'
import { functionChart } from './function-chart.js'

void t.test('values win over defaults, maps are merged, lists are replaced', async (t) => {
  const defaults = { a: 1, map: { x: 1, y: { z: 2 } }, list: [1, 2] }
  const values = { a: 2, map: { y: { w: 3 } }, list: [3] }
  t.strictSame(coalesceValues(values, defaults), { a: 2, map: { x: 1, y: { z: 2, w: 3 } }, list: [3] })
  t.strictSame(defaults, { a: 1, map: { x: 1, y: { z: 2 } }, list: [1, 2] }, 'the defaults stay')
  t.strictSame(values, { a: 2, map: { y: { w: 3 } }, list: [3] }, 'the values stay')
})

void t.test('null removes a default, and stays where there is none', async (t) => {
  const defaults = { a: 1, map: { x: 1, y: 2, n: null } }
  t.strictSame(coalesceValues({ a: null, other: null, map: { x: null, w: null, n: null } }, defaults), {
    other: null,
    map: { y: 2, w: null, n: null },
  })
})

void t.test('a value and a default of different types: the value counts', async (t) => {
  t.strictSame(coalesceValues({ a: 1, b: { c: 1 } }, { a: { x: 1 }, b: 'text' }), { a: 1, b: { c: 1 } })
})

void t.test('a member named __proto__ is a member', async (t) => {
  const values = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}') as Record<string, unknown>
  const result = coalesceValues(values, { constructor: 2, other: 3 })
  t.strictSame(Object.keys(result), ['__proto__', 'constructor', 'other'])
  t.notOk('polluted' in {})
})

void t.test('a chart in code needs a name and a version that Helm accepts', async (t) => {
  const chart = functionChart({ name: 'greeter', version: '1.0.0' }, () => [])
  t.match(chart.metadata, { name: 'greeter', version: '1.0.0', type: 'application' })
  t.throws(() => functionChart({ name: 'greeter', version: 'one' }, () => []), {
    code: 'INVALID_CHART',
    message: /the chart greeter cannot be used: the version "one"/,
  })
})
