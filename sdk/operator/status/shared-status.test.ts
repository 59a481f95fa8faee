import { Subject } from 'rxjs'
import t from 'tap'
import * as z from 'zod'
import { seededRandom } from '../../../apiserver/faults/seeded-random.js'
import { testOperator } from '../../../testing/operator/test-operator.js'
import { PermanentError } from '../../engine/kube/error.js'
import type { Key } from '../../engine/kube/key.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { key } from '../backups.fixture.js'
import { controller } from '../engine/controller.js'
import { defineKind } from '../kind/define/define-kind.js'
import { crdOf } from '../kind/definition/crd-of.js'
import { merge } from '../recorded-operator.fixture.js'
import { registerAll } from '../sharing.fixture.js'

const jobs = defineKind({
  group: 'cache.my.domain',
  version: 'v1',
  kind: 'Job',
  spec: z.object({ size: z.int() }),
  status: z.object({ left: z.int().optional(), right: z.int().optional() }),
  conditions: ['Left', 'Right'],
})

void t.test('two controllers that share a kind lose none of their conditions, in any order', async (t) => {
  const side = (type: 'Left' | 'Right', field: 'left' | 'right') =>
    controller(jobs, {
      name: field,
      shared: true,
      conditions: [type],
      statusFields: [field],
      async reconcile(ctx, { spec }) {
        for (let turns = random() * 6; turns > 0; turns--) await nextTurn()
        ctx.status[field] = spec.size
        ctx.condition(type, spec.size % 2 === 0, 'Counted')
      },
    })
  const random = seededRandom(4)
  const test = await testOperator(
    (operator) => {
      operator.register(side('Left', 'left'))
      operator.register(side('Right', 'right'))
    },
    { definitions: [crdOf(jobs)], logger: silentLogger },
  )
  t.teardown(() => test.stop())
  await test.client.create(jobs, { metadata: { ...key }, spec: { size: 0 } })
  for (let size = 0; size < 40; size++) {
    await test.client.patch(jobs, key, merge({ spec: { size: Math.floor(random() * 4) } }))
    if (random() < 0.5) await test.settled()
  }
  await test.settled()
  const { spec, status } = await test.client.get(jobs, key)
  const wanted = spec.size % 2 === 0 ? 'True' : 'False'
  t.match(status, { left: spec.size, right: spec.size })
  t.same(status?.conditions?.map(({ type, status }) => [type, status]).sort(), [
    ['Left', wanted],
    ['Right', wanted],
  ])
})

void t.test('a problem that another controller reports costs no writes', async (t) => {
  const again = new Subject<Key>()
  const test = await testOperator(
    (operator) => {
      const shared = { shared: true } as const
      const reconcile = () => {
        throw new PermanentError('no')
      }
      operator.register(
        controller(jobs, {
          ...shared,
          name: 'left',
          conditions: ['Left'],
          statusFields: ['left'],
          reconcile,
        }),
      )
      operator.register(
        controller(jobs, {
          ...shared,
          name: 'right',
          conditions: ['Right'],
          statusFields: ['right'],
          triggers$: again,
          reconcile(ctx) {
            runs++
            ctx.status.right = 1
          },
        }),
      )
    },
    {
      definitions: [crdOf(jobs)],
      logger: silentLogger,
      wrap: (transport) => ({
        ...transport,
        stream: (request) => transport.stream(request),
        close: () => transport.close(),
        request(request) {
          if (request.method === 'PATCH' && request.path.includes('.right')) writes.push(request.path)
          return transport.request(request)
        },
      }),
    },
  )
  t.teardown(() => test.stop())
  let runs = 0
  const writes: string[] = []
  await test.client.create(jobs, { metadata: { ...key }, spec: { size: 1 } })
  await test.settled()
  const before = writes.length
  for (let turn = 0; turn < 5; turn++) {
    again.next(key)
    await test.settled()
  }
  t.ok(runs >= 6, `${runs} runs`)
  t.equal(writes.length, before)
  const { status } = await test.client.get(jobs, key)
  t.equal(status?.right, 1)
  t.match(
    status?.conditions?.filter(({ type }) => type === 'Stalled'),
    [{ status: 'True' }],
  )
})

void t.test('a problem of two controllers is the condition of one, until it is solved there', async (t) => {
  const failing = new Set(['left', 'right'])
  const side = (name: string) =>
    controller(jobs, {
      name,
      shared: true,
      conditions: [],
      reconcile() {
        if (failing.has(name)) throw new PermanentError(`no ${name}`)
      },
    })
  const test = await testOperator((operator) => registerAll(operator, ['left', 'right'].map(side) as never), {
    definitions: [crdOf(jobs)],
    logger: silentLogger,
  })
  t.teardown(() => test.stop())
  const stalled = async () => {
    await test.settled()
    const { status } = await test.client.get(jobs, key)
    return status?.conditions?.find(({ type }) => type === 'Stalled')?.message
  }
  await test.client.create(jobs, { metadata: { ...key }, spec: { size: 1 } })
  const first = (await stalled()) ?? ''
  t.match(first, /^(left: no left|right: no right)$/)
  const [reporter = ''] = first.split(':')
  failing.delete(reporter)
  await test.client.patch(jobs, key, merge({ spec: { size: 2 } }))
  const [other = ''] = failing
  t.equal(await stalled(), `${other}: no ${other}`)
  failing.clear()
  await test.client.patch(jobs, key, merge({ spec: { size: 3 } }))
  t.equal(await stalled(), undefined)
})

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
