import t from 'tap'
import { frozenPart, shareFrozenParts } from './frozen-parts.js'
import { freezeJson, parseJson } from './json.js'

const names = (from: object, object: object) =>
  Object.entries(object).flatMap(([name, value]) => (frozenPart(from, name, value) ? [name] : []))
const parsed = (text: string) => parseJson(text) as Record<string, unknown>

void t.test('an object shares the parts that it has in common with a frozen one', async (t) => {
  const text = '{"metadata":{"name":"a"},"data":{"x":"1","y":["2",{"z":3}]},"type":"Opaque","spec":{"n":1}}'
  const original = freezeJson(parsed(text))
  const copy: Record<string, unknown> = { ...parsed(text), spec: { n: 2 } }
  const before = structuredClone(copy)
  shareFrozenParts(original, copy)
  t.equal(copy.data, original.data)
  t.not(copy.spec, original.spec)
  t.not(copy.metadata, original.metadata, 'objects never share their identity')
  t.strictSame(copy, before)
})

void t.test('a part that somebody may change, or that differs in the least, is not shared', async (t) => {
  const data = { x: { y: 'z' } }
  t.strictSame(names({ data }, { data: structuredClone(data) }), [])
  t.strictSame(
    names({ data: Object.freeze(data) }, { data: structuredClone(data) }),
    [],
    'frozen, but not deeply',
  )
  const unequal: [left: string, right: string][] = [
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":1}', '{"a":1,"b":null}'],
    ['{"a":null}', '{}'],
    ['{"a":{"0":1}}', '{"a":[1]}'],
    ['[1]', '{"0":1}'],
    ['[1,2]', '[1]'],
    ['{"__proto__":{}}', '{"x":{}}'],
    ['{"a":9007199254740993}', '{"a":9007199254740992}'],
  ]
  for (const [left, right] of unequal) {
    const from = freezeJson({ data: parseJson(left) })
    t.strictSame(names(from, { data: parseJson(right) }), [], `${left} ${right}`)
    t.strictSame(names(from, { data: parseJson(left) }), ['data'], left)
  }
  t.strictSame(names(freezeJson({}), parsed('{"__proto__":{},"constructor":{}}')), [])
})

void t.test('a frozen object stays as it is', async (t) => {
  const text = '{"data":{"x":"1"}}'
  const object = freezeJson(parsed(text))
  const { data } = object
  shareFrozenParts(freezeJson(parsed(text)), object)
  t.equal(object.data, data)
})
