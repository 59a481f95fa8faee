// Tests what a contest does to the rest of the run: other objects, other fields, failures and deletions of one's own.
import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { configMaps, events } from '../../engine/kube/builtin.js'
import { ApiError, PermanentError } from '../../engine/kube/error.js'
import type { Transport } from '../../engine/transport/transport.js'
import { type Backup, backup, backups, key } from '../backups.fixture.js'
import type { ControllerOptions } from '../controller/definition.js'
import { merge, pass, recordedOperator } from '../recorded-operator.fixture.js'

const other = { namespace: 'default', name: 'other' }

/** Two ConfigMaps with the size of the backup. */
const two: ControllerOptions<Backup> = {
  owns: [configMaps],
  reconcile: async (ctx, { spec }) => {
    const data = { size: `${spec.size}`, of: 'operator' }
    await ctx.apply(configMaps, { metadata: { name: key.name }, data: { of: 'operator' } })
    await ctx.apply(configMaps, { metadata: { name: other.name }, data })
  },
}

void t.test('an object that others delete each time does not hold up the other objects', async (t) => {
  const clock = new VirtualClock()
  const { client } = await recordedOperator(t, two, { clock })
  await client.create(backups, backup(1))
  await pass(clock, 1)
  for (let deletion = 1; deletion <= 6; deletion++) {
    await client.delete(configMaps, key)
    await pass(clock, 1)
  }
  await t.rejects(client.get(configMaps, key), 'it is contested')
  await client.patch(backups, key, merge({ spec: { size: 2 } }))
  await pass(clock, 1)
  t.equal((await client.get(configMaps, other)).data?.size, '2', 'a changed spec reaches the next object')
  await client.delete(configMaps, other)
  await pass(clock, 1)
  t.ok(await client.get(configMaps, other), 'and so does a repair')
  await pass(clock, 60)
  t.ok(await client.get(configMaps, key), 'it is created again in the end')
})

void t.test('another field of an object with a contested field is repaired at once', async (t) => {
  const clock = new VirtualClock()
  const { client } = await recordedOperator(t, two, { clock })
  await client.create(backups, backup(1))
  await pass(clock, 1)
  for (let change = 1; change <= 6; change++) {
    await client.patch(configMaps, other, merge({ data: { of: 'rival' } }))
    await pass(clock, 1)
  }
  t.equal((await client.get(configMaps, other)).data?.of, 'rival', 'the field is contested')
  await client.patch(configMaps, other, merge({ data: { size: '99' } }))
  await pass(clock, 1)
  t.equal((await client.get(configMaps, other)).data?.size, '1')
})

void t.test('a repair that fails is tried again, and does not count as one of a contest', async (t) => {
  const clock = new VirtualClock()
  let failures = 0
  const wrap = (inner: Transport): Transport => ({
    request: async (request) => {
      const isRepair = request.method === 'PATCH' && request.path.includes('/configmaps/other?')
      if (!isRepair || failures === 0) return inner.request(request)
      failures--
      const status = {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'InternalError',
        code: 500,
      }
      throw new ApiError({ ...status, message: 'the webhook is down' } as never)
    },
    stream: (request) => inner.stream(request),
    close: () => inner.close(),
  })
  const { client } = await recordedOperator(t, two, { clock, wrap })
  await client.create(backups, backup(1))
  await pass(clock, 1)
  failures = 8
  await client.patch(configMaps, other, merge({ data: { of: 'rival' } }))
  await pass(clock, 5)
  t.equal(failures, 0, 'each attempt was made')
  t.equal((await client.get(configMaps, other)).data?.of, 'operator')
  const { items } = await client.list(events, { namespace: 'default' })
  t.same(
    items.filter(({ reason }) => reason === 'FieldContested'),
    [],
  )
})

void t.test('a contested field is repaired although the runs end with a lasting error', async (t) => {
  const clock = new VirtualClock()
  let fails = false
  const failing: ControllerOptions<Backup> = {
    ...two,
    reconcile: async (ctx, object) => {
      await two.reconcile(ctx, object)
      if (fails) throw new PermanentError('the size is not supported')
    },
  }
  const { client } = await recordedOperator(t, failing, { clock })
  await client.create(backups, backup(1))
  await pass(clock, 1)
  fails = true
  for (let change = 1; change <= 6; change++) {
    await client.patch(configMaps, other, merge({ data: { of: 'rival' } }))
    await pass(clock, 1)
  }
  t.equal((await client.get(configMaps, other)).data?.of, 'rival', 'the field is contested')
  await pass(clock, 30)
  t.equal((await client.get(configMaps, other)).data?.of, 'operator')
})

void t.test(
  'a collection that a controller deletes itself does not count as deleted by others',
  async (t) => {
    const clock = new VirtualClock()
    let renewedAt = 1
    const renewing: ControllerOptions<Backup> = {
      owns: [configMaps],
      reconcile: async (ctx, object) => {
        if (renewedAt !== object.spec.size)
          await ctx.client.deleteCollection(configMaps, { namespace: 'default', labelSelector: 'app=backup' })
        renewedAt = object.spec.size
        await ctx.apply(configMaps, { metadata: { name: key.name, labels: { app: 'backup' } } })
      },
    }
    const { client } = await recordedOperator(t, renewing, { clock })
    await client.create(backups, backup(1))
    await pass(clock, 1)
    const uids = new Set<string | undefined>()
    for (let size = 2; size <= 12; size++) {
      await client.patch(backups, key, merge({ spec: { size } }))
      await pass(clock, 1)
      uids.add((await client.get(configMaps, key)).metadata.uid)
    }
    t.equal(uids.size, 11)
  },
)
