// Tests an object that is nested deeper than the call stack: the API server stores 10,000 levels.
import t from 'tap'
import * as z from 'zod'
import { testOperator } from '../../../testing/operator/test-operator.js'
import { parseJson } from '../../engine/kube/json.js'
import { controller } from '../engine/controller.js'
import { defineKind } from '../kind/define/define-kind.js'
import { crdOf } from '../kind/definition/crd-of.js'
import { merge } from '../recorded-operator.fixture.js'

const things = defineKind({
  group: 'deep.example.com',
  version: 'v1',
  kind: 'Thing',
  spec: z.object({ any: z.unknown(), n: z.int().default(1) }),
  conditions: ['Ready'],
})

void t.test('a deeply nested object is reconciled, gets its condition, and is released', async (t) => {
  const test = await testOperator(
    (operator) =>
      operator.register(
        controller(things, {
          labelSelector: 'app=a',
          reconcile: (ctx) => ctx.condition('Ready', 'True', 'Done', 'done'),
          finalize: () => undefined,
        }),
      ),
    { definitions: [crdOf(things)] },
  )
  t.teardown(() => test.stop())
  const key = { namespace: 'default', name: 'deep' }
  const any = parseJson('['.repeat(9_000) + ']'.repeat(9_000))
  await test.client.create(things, { metadata: { ...key, labels: { app: 'a' } }, spec: { any, n: 1 } })
  await test.settled()
  const created = await test.client.get(things, key)
  t.same(created.metadata.finalizers, ['deep.example.com/things'])
  t.match(created.status, { conditions: [{ type: 'Ready', status: 'True' }] })
  await test.client.patch(things, key, merge({ metadata: { labels: { app: null } } }))
  await test.settled()
  t.same((await test.client.get(things, key)).metadata.finalizers ?? [], [])
})
