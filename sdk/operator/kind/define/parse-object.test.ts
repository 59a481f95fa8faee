import t from 'tap'
import * as z from 'zod'
import { parseJson } from '../../../engine/kube/json.js'
import { memberOf } from '../../../engine/kube/json-object.js'
import { k } from '../k/k.js'
import { defineKind } from './define-kind.js'
import { parseObject } from './parse-object.js'

/** A kind with a field. */
const kindWith = (field: z.ZodType) =>
  defineKind({
    group: 'example.com',
    version: 'v1',
    kind: 'Thing',
    spec: z.object({ field, n: z.int().default(1) }),
  })

/** As many levels as Kubernetes accepts in an object, nearly. */
const levels = 9_900
const deep = parseJson(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)

void t.test('an open field may be nested deeper than the call stack', async (t) => {
  const open: readonly z.ZodType[] = [
    z.unknown(),
    z.looseObject({ b: z.int().optional() }),
    z.record(z.string(), z.unknown()),
    z.looseObject({ a: z.looseObject({ a: z.unknown() }) }),
    k.podTemplate({ preserve: true }),
  ]
  for (const field of open) {
    const parsed = kindWith(field).parse({ metadata: {}, spec: { field: deep } })
    t.match(parsed, { ok: true, object: { spec: { n: 1 } } })
    const inner = ['object', 'spec', 'field', 'a', 'a', 'a'].reduce<unknown>(memberOf, parsed)
    t.equal(inner, ['a', 'a', 'a'].reduce<unknown>(memberOf, deep), 'it is not copied')
  }
})

void t.test('a text is as long as the API server counts, whatever else is checked of it', async (t) => {
  const text = z.string().max(4)
  const emoji = '😀😀😀'
  const cases: readonly (readonly [z.ZodType, unknown, boolean])[] = [
    [k.listSet(text), [emoji, '😁😁😁'], true],
    [k.listSet(text), [emoji, emoji], false],
    [text.startsWith('x'), `x${emoji}`, true],
    [text.startsWith('x'), `x${emoji}${emoji}`, false],
    [z.strictObject({ text }), { text: emoji, newer: emoji }, true],
  ]
  for (const [field, value, isOk] of cases) {
    const parsed = kindWith(field).parse({ metadata: {}, spec: { field: value } })
    t.match(parsed, isOk ? { ok: true, object: { spec: { field: value, n: 1 } } } : { ok: false })
  }
})

void t.test('a strict object with an unknown field may be nested deeper than the call stack', async (t) => {
  const field = z.strictObject({ any: z.unknown(), list: z.array(z.strictObject({ a: z.int() })) })
  const evil = parseJson('{"a":1,"__proto__":{"polluted":true}}')
  const value = { any: deep, list: [{ a: 1, newer: 1 }, { a: 2 }, evil], newer: deep }
  const parsed = kindWith(field).parse({ metadata: {}, spec: { field: value } })
  t.ok(parsed.ok)
  const merged = ['object', 'spec', 'field'].reduce<unknown>(memberOf, parsed)
  t.equal(memberOf(merged, 'any'), deep)
  t.equal(memberOf(merged, 'newer'), deep)
  t.same(memberOf(merged, 'list'), value.list)
  t.same(Object.keys(Object(value.list[0])), ['a', 'newer'], 'the object itself is not changed')
  t.same(Object.keys(Object(evil)), ['a', '__proto__'])
  t.notOk('polluted' in {})
})

void t.test('an integer that a number cannot hold is said to be too large or too small', async (t) => {
  const messageOf = (field: z.ZodType, number: string) => {
    const spec = parseJson(`{"field":${number}}`)
    const parsed = kindWith(field).parse({ metadata: {}, spec })
    return parsed.ok ? undefined : parsed.problems.map(({ path, message }) => `${path} ${message}`).join()
  }
  t.equal(messageOf(z.int(), '9007199254740993'), 'spec.field must be at most 9007199254740991')
  t.equal(messageOf(z.int().min(5), '-9007199254740993'), 'spec.field must be at least -9007199254740991')
  t.equal(messageOf(k.intOrString(), '9007199254740993'), 'spec.field must be at most 9007199254740991')
  t.equal(messageOf(z.literal(7), '9007199254740993'), 'spec.field must be 7')
  t.equal(messageOf(z.array(z.string()), '9007199254740993'), 'spec.field must be a list, got bigint')
  t.equal(messageOf(k.int64(), '9007199254740993'), undefined)
})

void t.test('an object that cannot be checked is reported as one that does not fit', async (t) => {
  const failing = (error: Error) => ({
    spec: z.unknown().refine(() => {
      throw error
    }),
    status: z.object({}),
  })
  const object = { metadata: {}, spec: {} }
  t.same(parseObject(failing(new RangeError('Maximum call stack size exceeded')), object), {
    ok: false,
    problems: [
      {
        path: 'spec',
        message:
          'cannot be checked (Maximum call stack size exceeded); make it smaller, or nest it less deeply',
      },
    ],
  })
  t.throws(() => parseObject(failing(new TypeError('a bug')), object), /a bug/)
})
