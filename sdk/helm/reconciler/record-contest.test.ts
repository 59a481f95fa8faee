// Tests how often a release is installed or upgraded again that another program undoes each time.
import t, { type Test } from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { configMaps, secrets } from '../../engine/kube/builtin.js'
import { latestOf } from '../release/history.js'
import { ReleaseStore } from '../release/release-store.js'
import { greetings, key } from './greetings.fixture.js'
import { conditionOf, create, edit, eventsOf, find, history, start } from './reconciled.fixture.js'

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** An operator with a release, and another program that undoes its operations. */
async function besideRival(t: Test) {
  const clock = new VirtualClock()
  const main = await createApiServer({ clock })
  const test = await start(t, { reconcilePeriodMs: 0 }, { clock, servers: { main } })
  const { client } = test
  await create(test, { text: 'one' })
  await test.settled()
  /** Lets the time pass in steps of a second. */
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await clock.advance(1000)
      await turns(50)
    }
  }
  /** Calls `undo` in each second. Returns how often it did something. */
  const eachSecond = async (seconds: number, undo: () => Promise<boolean>) => {
    let undone = 0
    for (let second = 0; second < seconds; second++) {
      if (await undo()) undone++
      await pass(1)
    }
    return undone
  }
  const deleteRecords = async () => {
    const { items } = await client.list(secrets, { namespace: 'default', labelSelector: 'owner=helm' })
    for (const { metadata } of items)
      await client.delete(secrets, { namespace: 'default', name: metadata.name ?? '' })
    return items.length > 0
  }
  /** Does what `helm upgrade` does to the records. */
  const upgrade = async () => {
    const store = new ReleaseStore(client, Date.now)
    const latest = latestOf(await store.revisions('default', 'hello'))
    if (!latest?.written) return false
    const { secret: _, written: __, ...rest } = latest
    const version = latest.release.version + 1
    await store.create({ ...rest, release: { ...latest.release, version, config: { text: 'theirs' } } })
    return true
  }
  return { test, pass, eachSecond, deleteRecords, upgrade }
}

void t.test('a release whose record is deleted each time is installed more and more rarely', async (t) => {
  const { test, pass, eachSecond, deleteRecords } = await besideRival(t)
  const first = await eachSecond(60, deleteRecords)
  t.ok(first >= 5 && first <= 10, `${first} installations in the first minute`)
  const later = await eachSecond(240, deleteRecords)
  t.ok(later <= 5, `${later} installations in the next four minutes`)
  const message =
    /^the record of the release hello \(Secret default\/sh\.helm\.release\.v1\.hello\.v1\) is deleted by another program/
  t.match(await eventsOf(test, 'FieldContested'), [message])
  t.equal((await eventsOf(test, 'FieldContested')).length, 1)
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'True', reason: 'FieldContested', message })
  await pass(320)
  t.strictSame(await history(test), ['1 deployed'], 'the release is complete when the other has left')
  await pass(400)
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'False', reason: 'Reconciled' })
})

void t.test(
  'a release that another program upgrades each time is upgraded more and more rarely',
  async (t) => {
    const { test, pass, eachSecond, upgrade } = await besideRival(t)
    const first = await eachSecond(60, upgrade)
    t.ok(first >= 5 && first <= 10, `${first} upgrades in the first minute`)
    const later = await eachSecond(240, upgrade)
    t.ok(later <= 5, `${later} upgrades in the next four minutes`)
    t.match(await eventsOf(test, 'FieldContested'), [/^another program upgrades the release hello each time/])
    await pass(320)
    const latest = latestOf(await new ReleaseStore(test.client, Date.now).revisions('default', 'hello'))
    t.ok(latest?.written, 'the release is complete when the other has left')
  },
)

void t.test('during a contest, a changed spec and a new object are carried out at once', async (t) => {
  const { test, pass, eachSecond, deleteRecords } = await besideRival(t)
  await eachSecond(20, deleteRecords)
  t.strictSame(await history(test), [], 'the operator waits')
  await edit(test, { spec: { text: 'two' } })
  await pass(1)
  t.strictSame(await history(test), ['1 deployed'])
  t.match(await find(test, configMaps), { data: { text: 'two' } })
  await eachSecond(20, deleteRecords)
  t.strictSame(await history(test), [], 'the operator waits')
  await test.client.delete(greetings, key)
  await pass(1)
  await create(test, { text: 'two' })
  await pass(1)
  t.strictSame(await history(test), ['1 deployed'])
})

void t.test(
  'an object that is created and deleted again and again is installed at once each time',
  async (t) => {
    const { test, pass } = await besideRival(t)
    for (let count = 0; count < 8; count++) {
      await test.client.delete(greetings, key)
      await pass(1)
      t.strictSame(await history(test), [])
      await create(test, { text: 'one' })
      await pass(1)
      t.strictSame(await history(test), ['1 deployed'])
    }
  },
)
