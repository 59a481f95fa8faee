import t from 'tap'
import * as z from 'zod'
import { testOperator } from '../../../testing/operator/test-operator.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { key } from '../backups.fixture.js'
import { controller } from '../engine/controller.js'
import { defineKind } from '../kind/define/define-kind.js'
import { crdOf } from '../kind/definition/crd-of.js'
import { merge } from '../recorded-operator.fixture.js'

const orders = defineKind({
  group: 'cache.my.domain',
  version: 'v1',
  kind: 'Order',
  spec: z.object({ size: z.int() }),
  status: z.object({ size: z.int().optional() }),
  versions: {
    v1beta1: {
      spec: z.object({ size: z.int() }),
      status: z.object({ phase: z.string().optional() }),
      toHub: (spec) => spec,
      fromHub: (spec) => spec,
    },
  },
})

void t.test('a controller keeps the fields of the status that only another version has', async (t) => {
  let seen: string[] = []
  const definition = controller(orders, {
    reconcile(ctx, { spec }) {
      seen = Object.keys(ctx.status)
      ctx.status.size = spec.size
    },
  })
  const test = await testOperator((operator) => operator.register(definition), {
    definitions: [crdOf(orders)],
    logger: silentLogger,
  })
  t.teardown(() => test.stop())
  const { client } = test
  await client.create(orders, { metadata: { ...key }, spec: { size: 1 } })
  await test.settled()
  const unconverted = { 'v1beta1/phase': '{"value":"Old"}' }
  const status = { ...merge({ status: { unconverted } }), subresource: 'status' } as const
  await client.patch(orders, key, status)
  await client.patch(orders, key, merge({ spec: { size: 2 } }))
  await test.settled()
  t.notOk(seen.includes('unconverted'), 'a run does not see them')
  const live = await client.get(orders, key)
  t.match(live.status, { size: 2, unconverted })
  const applied = (live.metadata.managedFields ?? []).filter(
    (entry) => (entry as { operation?: string }).operation === 'Apply',
  )
  t.ok(applied.length > 0)
  t.notMatch(JSON.stringify(applied), /unconverted/)
})
