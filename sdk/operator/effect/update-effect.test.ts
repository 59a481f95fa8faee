import t from 'tap'
import * as z from 'zod'
import { testOperator } from '../../../testing/operator/test-operator.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { controller } from '../engine/controller.js'
import { defineKind } from '../kind/define/define-kind.js'
import { crdOf } from '../kind/definition/crd-of.js'

const buckets = defineKind({
  group: 'cloud.my.domain',
  version: 'v1',
  kind: 'Bucket',
  spec: z.object({ size: z.int() }),
  status: z.object({ size: z.int().optional() }),
  effects: ['bucket'],
})
const key = { namespace: 'default', name: 'photos' }

interface Made {
  readonly id: string
  readonly size: number
}

void t.test(
  'a thing follows the inputs of its object, also if an update fails, and is made once',
  async (t) => {
    const made = new Map<string, Made>()
    const calls: string[] = []
    let isAway = false
    const definition = controller(buckets, {
      effects: {
        bucket: {
          find: async (_ctx, token) => made.get(token),
          create: async ({ object }, token) => {
            calls.push('create')
            const thing = { id: token, size: object.spec.size }
            made.set(token, thing)
            return thing
          },
          update: async ({ object }, thing: Made) => {
            if (thing.size === object.spec.size) return thing
            calls.push(`update to ${object.spec.size}`)
            if (isAway) throw new Error('the cloud is away')
            const changed = { ...thing, size: object.spec.size }
            made.set(thing.id, changed)
            return changed
          },
          remove: async (_ctx, id) => void made.delete(id),
        },
      },
      reconcile: async (ctx) => {
        ctx.status.size = (await ctx.effect('bucket')).size
      },
    })
    const test = await testOperator((operator) => operator.register(definition), {
      definitions: [crdOf(buckets)],
      logger: silentLogger,
    })
    t.teardown(() => test.stop())
    const resize = (size: number) =>
      test.client.patch(buckets, key, { type: 'merge', body: { spec: { size } } })
    await test.client.create(buckets, { metadata: { ...key }, spec: { size: 1 } })
    await test.settled()
    await resize(2)
    await test.settled()
    t.equal((await test.client.get(buckets, key)).status?.size, 2)
    isAway = true
    await resize(3)
    while (!calls.includes('update to 3')) await new Promise((resolve) => setImmediate(resolve))
    isAway = false
    while ((await test.client.get(buckets, key)).status?.size !== 3)
      await new Promise((resolve) => setImmediate(resolve))
    t.same(
      [...made.values()].map(({ size }) => size),
      [3],
    )
    t.equal(calls.filter((call) => call === 'create').length, 1)
    await test.client.delete(buckets, key)
    await test.settled()
    t.equal(made.size, 0)
  },
)
