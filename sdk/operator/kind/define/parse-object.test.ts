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
