import t from 'tap'
import * as z from 'zod'
import { testOperator } from '../../../testing/operator/test-operator.js'
import { ApiError } from '../../engine/kube/error.js'
import { controller } from '../engine/controller.js'
import { defineKind } from '../kind/define/define-kind.js'
import { crdOf } from '../kind/definition/crd-of.js'
import { k } from '../kind/k/k.js'
import { emptiesLabels, keepsLabels, labelDefinitions } from './emptied.fixture.js'
import { applyWithEmptyFields } from './emptied-fields.js'

const key = { namespace: 'default', name: 'one' }
const values = z.record(z.string(), z.int())

const sources = defineKind({
  group: 'empty.my.domain',
  version: 'v1',
  kind: 'Source',
  spec: z.object({ names: z.array(z.string()) }),
  status: z.object({ names: k.listSet(z.string()).optional(), values: values.optional() }),
})
const targets = defineKind({
  group: 'empty.my.domain',
  version: 'v1',
  kind: 'Target',
  spec: z.object({
    size: z.int(),
    deep: z.object({ values }).optional(),
    names: k.listSet(z.string()).optional(),
  }),
})

void t.test('maps and sets in the status and in owned objects can become empty', async (t) => {
  const failures: unknown[] = []
  const definition = controller(sources, {
    owns: [targets],
    async reconcile(ctx, { spec }) {
      const all = Object.fromEntries(spec.names.map((name) => [name, 1]))
      Object.assign(ctx.status, { names: [...spec.names], values: all })
      await ctx
        .apply(targets, {
          metadata: { name: 'one' },
          spec: { size: 1, deep: { values: all }, names: [...spec.names] },
        })
        .catch((error: unknown) => failures.push(error))
    },
  })
  const test = await testOperator((operator) => operator.register(definition), {
    definitions: [crdOf(sources), crdOf(targets)],
  })
  t.teardown(() => test.stop())
  const { client } = test
  const state = async () => {
    await test.settled()
    const { status = {} } = await client.get(sources, key)
    const { spec } = await client.get(targets, key)
    return [status.names ?? [], status.values ?? {}, spec.names ?? [], spec.deep?.values ?? {}]
  }
  const set = (names: string[]) => client.patch(sources, key, { type: 'merge', body: { spec: { names } } })
  await client.create(sources, { metadata: key, spec: { names: ['a'] } })
  t.strictSame(await state(), [['a'], { a: 1 }, ['a'], { a: 1 }])
  await set([])
  t.strictSame(await state(), [[], {}, [], {}])
  await set(['b'])
  t.strictSame(await state(), [['b'], { b: 1 }, ['b'], { b: 1 }])
  t.same(failures, [])
})

void t.test('a required spec of an owned object can become empty', async (t) => {
  const test = await testOperator((operator) => operator.register(keepsLabels), {
    definitions: labelDefinitions,
  })
  t.teardown(() => test.stop())
  await emptiesLabels(t, test.client, () => test.settled())
})

void t.test('only the empty fields that the API server names are left out', async (t) => {
  const bodies: object[] = []
  const refusing = (fields: string[]) => async (body: object) => {
    bodies.push(body)
    if (bodies.length > fields.length) return 'done'
    const message = 'Invalid value: "null": a in body must be of type object: "null"'
    const causes = [{ field: fields[bodies.length - 1] ?? '', message }]
    throw new ApiError({ code: 422, reason: 'Invalid', details: { causes } })
  }
  const body = { spec: { 'a.b': { c: {} }, d: {}, e: { f: 1 } } }
  t.equal(await applyWithEmptyFields(body, { send: refusing(['spec.a.b.c', 'spec.a.b']) }), 'done')
  t.strictSame(bodies, [body, { spec: { 'a.b': {}, d: {}, e: { f: 1 } } }, { spec: { d: {}, e: { f: 1 } } }])
  bodies.length = 0
  await t.rejects(applyWithEmptyFields(body, { send: refusing(['spec.e']) }), ApiError, 'it is not empty')
})
