import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { configMaps, deployments } from '../../engine/kube/builtin.js'
import { type Backup, backup, backups, key, memcached } from '../backups.fixture.js'
import type { ControllerOptions } from '../controller/definition.js'
import { merge, pass, recordedOperator } from '../recorded-operator.fixture.js'

const other = { namespace: 'default', name: 'other' }

void t.test('a controller that deletes an object itself to renew it is not slowed down', async (t) => {
  const clock = new VirtualClock()
  let renewedAt = 0
  const renewing: ControllerOptions<Backup> = {
    owns: [configMaps],
    reconcile: async (ctx, { spec }) => {
      const live = ctx.store(configMaps).get(key)
      if (live && renewedAt !== spec.size) await ctx.client.delete(configMaps, key)
      renewedAt = spec.size
      await ctx.apply(configMaps, { metadata: { name: key.name } })
    },
  }
  const { client } = await recordedOperator(t, renewing, { clock })
  await client.create(backups, backup(1))
  const uids = new Set<string | undefined>()
  for (let size = 1; size <= 12; size++) {
    await client.patch(backups, key, merge({ spec: { size } }))
    await pass(clock, 1)
    uids.add((await client.get(configMaps, key)).metadata.uid)
  }
  t.equal(uids.size, 12)
  const { status } = await client.get(backups, key)
  t.notOk(status?.conditions?.some(({ type }) => type === 'Stalled'))
})

void t.test('an object that others delete each time is created at once with a changed intent', async (t) => {
  const clock = new VirtualClock()
  const { client } = await recordedOperator(t, memcached, { clock })
  await client.create(backups, backup(1))
  await pass(clock, 1)
  for (let deletion = 1; deletion <= 6; deletion++) {
    await client.delete(deployments, key)
    await pass(clock, 1)
  }
  await t.rejects(client.get(deployments, key), 'it is not created for some time')
  await client.patch(backups, key, merge({ spec: { size: 2 } }))
  await pass(clock, 1)
  t.equal((await client.get(deployments, key)).spec?.replicas, 2)
})

void t.test(
  'a run that waits for one object repairs the contested field of another one in time',
  async (t) => {
    const clock = new VirtualClock()
    const two: ControllerOptions<Backup> = {
      owns: [configMaps],
      reconcile: async (ctx) => {
        await ctx.apply(configMaps, { metadata: { name: key.name }, data: { of: 'operator' } })
        await ctx.apply(configMaps, { metadata: { name: other.name } })
      },
    }
    const { client } = await recordedOperator(t, two, { clock })
    await client.create(backups, backup(1))
    await pass(clock, 1)
    await client.patch(configMaps, other, merge({ metadata: { finalizers: ['test/held'] } }))
    await client.delete(configMaps, other)
    const now = async () => (await client.get(configMaps, key)).data?.of
    for (let change = 1; change <= 6; change++) {
      await client.patch(configMaps, key, merge({ data: { of: 'rival' } }))
      await pass(clock, 1)
      t.equal(await now(), change === 6 ? 'rival' : 'operator')
    }
    await pass(clock, 30)
    t.equal(await now(), 'operator', 'the field is repaired after the pause')
  },
)

void t.test('a contest does not delay the runs of everyMs', async (t) => {
  const clock = new VirtualClock()
  let runs = 0
  const counting: ControllerOptions<Backup> = {
    owns: [configMaps],
    everyMs: 5_000,
    reconcile: async (ctx) => {
      runs++
      await ctx.apply(configMaps, { metadata: { name: key.name }, data: { of: 'operator' } })
    },
  }
  const { client } = await recordedOperator(t, counting, { clock })
  await client.create(backups, backup(1))
  await pass(clock, 1)
  for (let second = 0; second < 60; second++) {
    await client.patch(configMaps, key, merge({ data: { of: 'rival' } }))
    await pass(clock, 1)
  }
  runs = 0
  await pass(clock, 60)
  t.ok(runs >= 10, `${runs} runs in a minute`)
})

void t.test(
  'a second contested field of an object, and its deletion, are named next to the first',
  async (t) => {
    const clock = new VirtualClock()
    const writing: ControllerOptions<Backup> = {
      owns: [configMaps],
      reconcile: async (ctx) => {
        await ctx.apply(configMaps, { metadata: { name: key.name }, data: { one: '1', two: '2' } })
      },
    }
    const { client } = await recordedOperator(t, writing, { clock })
    const message = async () => {
      const { status } = await client.get(backups, key)
      return status?.conditions?.find(({ type }) => type === 'Stalled')?.message ?? ''
    }
    await client.create(backups, backup(1))
    await pass(clock, 1)
    for (const field of ['one', 'two']) {
      for (let change = 1; change <= 6; change++) {
        await client.patch(configMaps, key, merge({ data: { [field]: 'rival' } }))
        await pass(clock, 1)
      }
      t.match(await message(), new RegExp(`data\\.${field} is set to different values`))
      await pass(clock, 12)
    }
    t.match(await message(), /data\.one is set/, 'the first one is contested for another minute')
    for (let deletion = 1; deletion <= 6; deletion++) {
      await client.delete(configMaps, key)
      await pass(clock, 1)
    }
    t.match(await message(), /is deleted by another program each time/)
    t.match(await message(), /data\.two is set to different values/)
    await pass(clock, 200)
    t.equal(await message(), '')
  },
)
