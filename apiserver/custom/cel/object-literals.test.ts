import t from 'tap'
import { withMapLiterals } from './object-literals.js'

void t.test('literals of types become maps with dynamic values', async (t) => {
  const cases = [
    ['Object{}', '{}'],
    [
      'Object{metadata: Object.metadata{labels: {"a": "b, c{"}}}',
      '{"metadata": dyn({"labels": dyn({"a": "b, c{"})})}',
    ],
    [
      '[JSONPatch{op: "add", path: "/x", value: [1, 2]}, JSONPatch{op: \'remove\', path: "/y"}]',
      '[{"op": dyn("add"), "path": dyn( "/x"), "value": dyn( [1, 2])}, {"op": dyn(\'remove\'), "path": dyn( "/y")}]',
    ],
    ['object.spec.replicas > 1 ? Object{spec: Object.spec{replicas: 1}} : Object{}'],
    ['{"Object": 1}[r"Object{"]', '{"Object": 1}[r"Object{"]'],
    ['myObject{a: 1}', 'myObject{a: 1}'],
  ] as const
  for (const [given, expected] of cases) {
    const { text: written } = withMapLiterals(given)
    if (expected === undefined) t.notMatch(written, /Object/)
    else t.equal(written.replaceAll(/\(\s+/g, '('), expected.replaceAll(/\(\s+/g, '('))
  }
})

void t.test('positions are those of the original expression', async (t) => {
  const given = 'Object{metadata: Object.metadata{labels: params.data}}'
  const { text, offsetOf, mismatch } = bound(given)
  t.equal(offsetOf(text.indexOf('params')), given.indexOf('params'))
  t.equal(offsetOf(text.indexOf('.data')), given.indexOf('.data'))
  t.equal(mismatch, undefined)
})

void t.test('a literal in a field has the path of the field', async (t) => {
  t.match(
    bound('Object{spec: object.list.map(each, Object.metadata{a: 1})}').mismatch,
    /unexpected type name "Object.metadata", expected "Object.spec"/,
  )
  t.equal(bound('[JSONPatch{op: "add", path: "/spec", value: Object.spec{a: 1}}]').mismatch, undefined)
})

function bound(expression: string) {
  const literals = withMapLiterals(expression)
  return { text: literals.text, mismatch: literals.mismatch, offsetOf: (at: number) => literals.offsetOf(at) }
}
