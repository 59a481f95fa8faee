// Tests that metadata keeps its values exactly, refuses what JSON would change, and never loses what it has.
import t from 'tap'
import * as z from 'zod'
import { MetaData } from './metadata.js'

function setUp({ maxBytes = 65_536 } = {}) {
  const stored: string[] = []
  const store = async (metaData: object) => void stored.push(JSON.stringify(metaData))
  return { metaData: new MetaData({ maxBytes, store }), stored }
}

void t.test('values go in and out as copies', async (t) => {
  const { metaData, stored } = setUp()
  const made = { deployment: 'app', ports: [80], absent: undefined }
  metaData.set('made', made)
  made.ports.push(81)
  t.strictSame(metaData.get('made'), { deployment: 'app', ports: [80] })
  const got = metaData.get('made') as { ports: number[] }
  got.ports.push(82)
  const everything = metaData.toJSON() as { made: { ports: number[] } }
  everything.made.ports.push(83)
  t.equal(metaData.toString(), '{"made":{"deployment":"app","ports":[80]}}')
  await metaData.save()
  t.strictSame(stored, ['{"made":{"deployment":"app","ports":[80]}}'])
  t.strictSame([metaData.has('made'), metaData.has('toString'), metaData.keys()], [true, false, ['made']])
  t.strictSame(
    [metaData.delete('made'), metaData.delete('made'), metaData.get('made')],
    [true, false, undefined],
  )
})

void t.test(
  'values that JSON would change are refused with their path, and the old value is kept',
  async (t) => {
    const { metaData } = setUp()
    metaData.set('a', 'before')
    const cycle: { list: unknown[] } = { list: [] }
    cycle.list.push(cycle)
    let deep: unknown = 1
    for (let level = 0; level < 200; level++) deep = [deep]
    const table: [unknown, RegExp][] = [
      [new Date(0), /metadata a is a Date, which JSON does not keep/],
      [{ at: [new Map()] }, /metadata a\.at\[0\] is a Map/],
      [{ x: Number.NaN }, /metadata a\.x is NaN/],
      [[1, undefined], /metadata a\[1\] is undefined/],
      [new Array(2), /metadata a\[0\] is undefined/],
      [undefined, /metadata a is undefined/],
      [{ call: () => 1 }, /metadata a\.call is a function/],
      [1n, /metadata a is a bigint/],
      [Symbol('s'), /metadata a is a symbol/],
      [cycle, /metadata a\.list\[0\] is a cycle/],
      [JSON.parse('{"b":{"__proto__":1}}'), /metadata a\.b\.__proto__ is named __proto__/],
      [deep, /nested more than 100 levels/],
    ]
    for (const [value, message] of table)
      t.throws(() => metaData.set('a', value), { name: 'MetaDataError', code: 'INVALID_METADATA', message })
    t.throws(() => metaData.set('__proto__', 1), /named __proto__/)
    t.equal(metaData.get('a'), 'before')
    const twice = { one: 1 }
    metaData.set('a', [twice, twice])
    t.strictSame(metaData.get('a'), [{ one: 1 }, { one: 1 }], 'the same object twice is not a cycle')
  },
)

void t.test('too much metadata names the largest key, and nothing is lost', async (t) => {
  const { metaData } = setUp({ maxBytes: 100 })
  metaData.set('small', 1)
  metaData.set('large', 'x'.repeat(60))
  const message =
    'the metadata would be 102 bytes as JSON, more than the limit of 100; its largest key is "large"'
  t.throws(() => metaData.set('more', 'ä'.repeat(5)), { code: 'METADATA_TOO_LARGE', message })
  t.strictSame(metaData.keys(), ['small', 'large'])
  metaData.set('more', 'four')
  metaData.set('more', '12345678')
  t.equal(Buffer.byteLength(metaData.toString()), 100, 'the limit itself is permitted')
  t.throws(() => metaData.set('more', '123456789'), /would be 101 bytes/)
  metaData.delete('more')
  metaData.set('large', 'y'.repeat(60))
  metaData.delete('large')
  metaData.set('more', 'z'.repeat(70))
  t.equal(metaData.get('more'), 'z'.repeat(70), 'a deleted key no longer counts')
  t.throws(() => metaData.parse(JSON.stringify({ a: 'x'.repeat(100) })), { code: 'METADATA_TOO_LARGE' })
})

void t.test('a text that cannot be read changes nothing', async (t) => {
  const { metaData } = setUp()
  metaData.parse('{"replicas":[{"name":"web","replicas":3}],"note":"kept"}')
  for (const text of ['', 'null', '[]', '"text"', '{"a":', '{"__proto__":{}}'])
    t.throws(() => metaData.parse(text), { code: 'INVALID_METADATA' }, text)
  t.equal(metaData.toString(), '{"replicas":[{"name":"web","replicas":3}],"note":"kept"}')
  t.strictSame(metaData.decodeToString('note'), 'kept')
  t.strictSame([metaData.decodeToString('replicas'), metaData.decodeToString('absent')], ['', ''])
  t.equal(metaData.decode('absent', z.string()), undefined)
  t.throws(() => metaData.decode('note', z.number()), /metadata note does not fit its schema/)
})

void t.test('a store that fails rejects save', async (t) => {
  const store = async () => Promise.reject(new Error('conflict'))
  await t.rejects(new MetaData({ maxBytes: 100, store }).save(), /conflict/)
})

void t.test('a text that cannot be read is not quoted', (t) => {
  const { metaData } = setUp()
  const message = (text: string) => {
    try {
      metaData.parse(text)
    } catch (error) {
      return error instanceof Error ? `${error.message} ${String(error.cause)}` : error
    }
    return 'no error'
  }
  t.equal(message('password=c4n4ry'), 'the metadata is not JSON (15 characters) undefined')
  t.equal(message('"c4n4ry"'), 'the metadata must be a JSON object, got string undefined')
  t.equal(message('["c4n4ry"]'), 'the metadata must be a JSON object, got a list undefined')
  t.equal(message('null'), 'the metadata must be a JSON object, got null undefined')
  t.end()
})
