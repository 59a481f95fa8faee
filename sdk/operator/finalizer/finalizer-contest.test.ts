// Tests how often a finalizer is added that another program removes each time.
import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { configMaps, events, namespaces } from '../../engine/kube/builtin.js'
import { type Backup, backup, backups, key } from '../backups.fixture.js'
import type { ControllerOptions } from '../controller/definition.js'
import { merge, pass, recordedOperator } from '../recorded-operator.fixture.js'

const away = { namespace: 'team', name: key.name }

/** A controller with a finalizer. */
const finalizing: ControllerOptions<Backup> = {
  owns: [configMaps],
  reconcile: async (ctx, { spec }) => {
    await ctx.apply(configMaps, { metadata: { name: key.name }, data: { size: `${spec.size}` } })
  },
  finalize: (ctx) => ctx.events.normal('Finalized', 'done'),
}

/** A controller, and another program that removes the finalizers of its object. */
async function besideRemover(t: Parameters<typeof recordedOperator>[0], options = finalizing) {
  const clock = new VirtualClock()
  const { client } = await recordedOperator(t, options, { clock })
  await client.create(namespaces, { metadata: { name: away.namespace } })
  await client.create(backups, backup(1))
  await pass(clock, 1)
  const remove = async () => {
    const { finalizers = [] } = (await client.get(backups, key)).metadata
    if (finalizers.length === 0) return false
    await client.patch(backups, key, merge({ metadata: { finalizers: null } }))
    return true
  }
  /** Removes the finalizers in each second. Returns in how many seconds there was one. */
  const removeEachSecond = async (seconds: number) => {
    let removals = 0
    for (let second = 0; second < seconds; second++) {
      if (await remove()) removals++
      await pass(clock, 1)
    }
    return removals
  }
  const isFinalized = async () => ((await client.get(backups, key)).metadata.finalizers ?? []).length > 0
  const reported = async (reason: string) =>
    (await client.listAll(events)).items.filter((event) => event.reason === reason)
  const stalled = async () =>
    (await client.get(backups, key)).status?.conditions?.find(({ type }) => type === 'Stalled')
  return { client, clock, reported, removeEachSecond, isFinalized, stalled }
}

void t.test('a finalizer that another program removes each time is added more and more rarely', async (t) => {
  const test = await besideRemover(t)
  const { client, clock, removeEachSecond } = test
  const first = await removeEachSecond(60)
  t.ok(first >= 5 && first <= 10, `${first} finalizers in the first minute`)
  const later = await removeEachSecond(240)
  t.ok(later <= 5, `${later} finalizers in the next four minutes`)
  const message =
    /^the finalizer cache\.my\.domain\/backups of Backup default\/daily is removed by another program/
  t.match(await test.stalled(), { status: 'True', reason: 'FieldContested', message })
  t.match(await test.reported('FieldContested'), [{ message }])
  t.equal((await test.reported('FieldContested')).length, 1)
  await pass(clock, 320)
  t.ok(await test.isFinalized(), 'the object has it when the other has left')
  await pass(clock, 400)
  t.notOk(await test.stalled())
  await client.delete(backups, key)
  await pass(clock, 1)
  t.equal((await test.reported('Finalized')).length, 1)
})

void t.test('during a contest, a changed spec and a new object get the finalizer at once', async (t) => {
  const { client, clock, removeEachSecond, isFinalized } = await besideRemover(t)
  await removeEachSecond(20)
  t.notOk(await isFinalized(), 'the operator waits')
  await client.patch(backups, key, merge({ spec: { size: 2 } }))
  await pass(clock, 1)
  t.ok(await isFinalized())
  t.equal((await client.get(configMaps, key)).data?.size, '2')
  await removeEachSecond(20)
  t.notOk(await isFinalized(), 'the operator waits')
  await client.delete(backups, key)
  await client.create(backups, backup(2))
  await pass(clock, 1)
  t.ok(await isFinalized())
})

void t.test('objects that are no longer selected and selected again get the finalizer at once', async (t) => {
  const labels = { run: 'yes' }
  const { client, clock, isFinalized } = await besideRemover(t, { ...finalizing, labelSelector: 'run=yes' })
  for (let count = 0; count < 8; count++) {
    await client.patch(backups, key, merge({ metadata: { labels } }))
    await pass(clock, 1)
    t.ok(await isFinalized())
    await client.patch(backups, key, merge({ metadata: { labels: { run: null } } }))
    await pass(clock, 1)
    t.notOk(await isFinalized())
  }
})

void t.test(
  'while the finalizer is missing, no object is created that only the finalizer cleans up',
  async (t) => {
    const { client, clock, removeEachSecond } = await besideRemover(t, {
      owns: [configMaps],
      reconcile: async (ctx) => {
        await ctx.apply(configMaps, { metadata: away })
      },
    })
    await removeEachSecond(20)
    await client.delete(configMaps, away)
    await pass(clock, 1)
    await t.rejects(client.get(configMaps, away))
    await pass(clock, 60)
    t.ok(await client.get(configMaps, away))
  },
)
