import fc from 'fast-check'
import t from 'tap'
import { cloneJson, jsonEqual, parseJson, stringifyJson } from './json.js'

const deep = (depth: number) => `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`

void t.test('JSON keeps what the API server can hold', async (t) => {
  void t.test('an integer that a double cannot hold keeps its digits', async (t) => {
    const text = '{"a":9007199254740993,"b":[-9223372036854775808],"c":9007199254740991,"d":1.5}'
    const value = parseJson(text)
    t.strictSame(value, { a: 9007199254740993n, b: [-9223372036854775808n], c: 9007199254740991, d: 1.5 })
    t.equal(stringifyJson(value), text)
    t.equal(stringifyJson(cloneJson(value)), text)
  })

  void t.test('an unsafe integer is found wherever it stands in the text', async (t) => {
    for (let offset = 0; offset < 40; offset++) {
      for (const number of ['9007199254740993', '-9223372036854775807']) {
        const text = `{"${'k'.repeat(offset)}":${number}}`
        t.equal(stringifyJson(parseJson(text)), text)
        const spaced = `[${' '.repeat(offset)}123456789012345,${number} ]`
        t.equal(stringifyJson(parseJson(spaced)), `[123456789012345,${number}]`)
      }
    }
    t.equal(parseJson('9007199254740993'), 9007199254740993n)
  })

  void t.test('digits inside strings and fractions stay what they are', async (t) => {
    const text =
      '{"uid:9007199254740993":"a\\\\\\":9007199254740993,","b":0.12345678901234568,"c":[],"d":9007199254740993}'
    const value = parseJson(text)
    t.strictSame(value, {
      'uid:9007199254740993': 'a\\":9007199254740993,',
      b: 0.12345678901234568,
      c: [],
      d: 9007199254740993n,
    })
  })

  void t.test('a member named __proto__ is a member like any other', async (t) => {
    for (const number of ['1', '9007199254740993']) {
      const text = `{"data":{"__proto__":{"polluted":${number}},"constructor":"x"}}`
      const value = parseJson(text)
      t.equal(stringifyJson(value), text)
      t.equal(stringifyJson(cloneJson(value)), text)
      t.ok(jsonEqual(value, parseJson(text)))
      t.notOk(jsonEqual(parseJson('{"data":{}}'), parseJson('{"data":{"__proto__":{}}}')))
      t.notOk(jsonEqual(parseJson('{"data":{"__proto__":{}}}'), parseJson('{"data":{}}')))
      t.notOk(jsonEqual({}, parseJson('{"constructor":"x"}')))
      t.equal(Reflect.get({}, 'polluted'), undefined)
    }
  })

  void t.test('nesting deeper than the call stack is read, written, copied and compared', async (t) => {
    for (const text of [deep(10_000), deep(10_000).replace('1', '9007199254740993')]) {
      const value = parseJson(text)
      t.ok(stringifyJson(value) === text)
      t.ok(stringifyJson(cloneJson(value)) === text)
      t.ok(jsonEqual(value, parseJson(text)))
      t.notOk(jsonEqual(value, parseJson(deep(10_000).replace('1', '2'))))
    }
  })

  void t.test('lone surrogates and separators come back as they went', async (t) => {
    const value = { data: '\ud800', other: '\u2028\u0000', n: 9007199254740993n }
    t.strictSame(parseJson(stringifyJson(value)), value)
    t.strictSame(parseJson(Buffer.from('{"a":"ä\u2028"}').subarray(0)), { a: 'ä\u2028' })
    t.strictSame(parseJson(Buffer.from([0x22, 0xff, 0x22])), '\ufffd')
  })

  void t.test('a text that is not JSON is refused without being quoted', async (t) => {
    for (const text of ['{"password":"hunter2" x}', '{"password":hunter2}', '"hunter2', '']) {
      const error = await Promise.resolve(text)
        .then(parseJson)
        .catch((e: unknown) => e)
      t.match(error, SyntaxError)
      t.notMatch(String(error), /hunter2|password/)
    }
  })

  void t.test('what is not JSON is not written', async (t) => {
    const loop: Record<string, unknown> = { n: 1n }
    loop.self = [loop]
    t.throws(() => stringifyJson(loop), /contains itself/)
    t.throws(() => stringifyJson(undefined), /type undefined/)
    const twice = { a: 1n }
    t.equal(stringifyJson([twice, twice, undefined]), '[{"a":1},{"a":1},null]')
  })

  void t.test('any value comes back equal', async () => {
    const tie = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, 0, -0, 1e300, 9007199254740993n, -9223372036854775808n, '', '"\\'),
        fc.string(),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }),
        fc.array(tie('value')),
        fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value')),
      ),
    }))
    fc.assert(
      fc.property(tie.value, (value) => {
        const text = stringifyJson(value)
        return jsonEqual(parseJson(text), value) && stringifyJson(cloneJson(parseJson(text))) === text
      }),
    )
  })
})

void t.test('JSON is compared as the API server stores it', async (t) => {
  t.ok(jsonEqual({ a: undefined, b: [undefined] }, { b: [null] }), 'an undefined member is absent')
  t.notOk(jsonEqual({ a: null }, {}), 'null is not absent')
  t.ok(jsonEqual({ a: 1, b: 2 }, { b: 2, a: 1 }), 'order of members does not matter')
  t.notOk(jsonEqual([1, 2], [2, 1]), 'order of elements does')
  t.notOk(jsonEqual({ a: 1 }, { a: 1, b: 1 }))
  t.notOk(jsonEqual({ a: 1, b: 1 }, { a: 1 }))
  t.notOk(jsonEqual([], {}))
  t.notOk(jsonEqual('1', 1))
  t.ok(jsonEqual(-0, 0))
  t.ok(jsonEqual([5n], [5]) && jsonEqual(5, 5n))
  t.notOk(jsonEqual(5n, 5.5) || jsonEqual('5', 5n))
})

void t.test('a copy of a frozen value can be changed', async (t) => {
  const original = Object.freeze({ labels: Object.freeze({ a: '1' }), list: Object.freeze([{ b: 1 }]) })
  const copy: { labels: Record<string, string>; list: unknown } = cloneJson(original)
  copy.labels.c = '2'
  t.strictSame([original.labels, copy.list], [{ a: '1' }, [{ b: 1 }]])
})
