// Tests how many Events corrections of drift cause.
import t, { type Test } from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { configMaps } from '../../engine/kube/builtin.js'
import { key } from './greetings.fixture.js'
import type { HelmControllerOptions } from './options/options.js'
import { conditionOf, create, eventsOf, find, start, until } from './reconciled.fixture.js'

void t.test('one Event DriftCorrected for each object and minute', async (t) => {
  const clock = new VirtualClock()
  const main = await createApiServer({ clock })
  const test = await start(t, { reconcilePeriodMs: 0 }, { clock, servers: { main } })
  await create(test, { text: 'one', more: ['a'] })
  await test.settled()
  /** Changes the text of the first ConfigMap until it is put right. */
  const change = async () => {
    await test.client.patch(configMaps, key, { type: 'merge', body: { data: { text: 'by hand' } } })
    await until(async () => (await find(test, configMaps))?.data?.text === 'one')
    await test.settled()
  }
  const remove = async (name: string) => {
    await test.client.delete(configMaps, { ...key, name })
    await until(async () => (await find(test, configMaps, name)) !== undefined)
    await test.settled()
  }
  const told = () => eventsOf(test, 'DriftCorrected')
  await change()
  t.strictSame(await told(), ['ConfigMap default/hello was changed at data.text'])
  await remove('hello')
  await clock.advance(59_000)
  await remove('hello')
  t.equal((await told()).length, 1, 'the same object in the same minute')
  await remove('hello-a')
  t.strictSame((await told()).slice(1), ['ConfigMap default/hello-a was deleted'], 'another object')
  await clock.advance(1_000)
  await remove('hello')
  t.strictSame((await told()).slice(2), ['ConfigMap default/hello was deleted'], 'the next minute')
})

/** An operator next to another program that sets a field of the ConfigMap to `theirs` each time. Counts its writes. */
async function besideOther(t: Test, options: Partial<HelmControllerOptions> = {}) {
  const clock = new VirtualClock()
  const main = await createApiServer({ clock })
  const test = await start(t, { reconcilePeriodMs: 0, ...options }, { clock, servers: { main } })
  await create(test, { text: 'one' })
  await test.settled()
  let writes = 0
  const isOther = async () => (await find(test, configMaps))?.data?.text !== 'theirs'
  /** The other program sees each change, and sets the field back, until nothing changes any more. */
  const settle = async () => {
    for (; await isOther(); writes++) {
      const type = { type: 'apply', fieldManager: 'rival', force: true } as const
      await test.client.patch(configMaps, key, {
        ...type,
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data: { text: 'theirs' } },
      })
      await test.settled()
    }
  }
  return { test, clock, settle, writes: () => writes }
}

void t.test(
  'a field that another program sets back is corrected rarely, and one Event says so',
  async (t) => {
    const { test, clock, settle, writes } = await besideOther(t)
    await settle()
    t.equal(writes(), 6, 'five corrections, and then none')
    const rule = `{ kind: 'ConfigMap', name: 'hello', paths: ['data.text'] }`
    const told = await eventsOf(test, 'FieldContested')
    t.equal(told.length, 1)
    const [message = ''] = told
    t.ok(message.startsWith('ConfigMap default/hello: data.text is set back by another program ('), message)
    t.ok(message.includes('conflict with "rival"'), message)
    t.ok(message.includes(`add ${rule} to ignoreDrift`), message)
    t.match(await conditionOf(test, 'Irreconcilable'), { status: 'True', reason: 'FieldContested' })
    for (const pauseMs of [10_000, 20_000, 40_000]) {
      const before = writes()
      await clock.advance(pauseMs)
      await test.settled()
      await settle()
      t.equal(writes(), before + 1, `one correction after ${pauseMs} ms`)
    }
    t.equal((await eventsOf(test, 'FieldContested')).length, 1)
    t.strictSame(await eventsOf(test, 'DriftCorrected'), ['ConfigMap default/hello was changed at data.text'])
  },
)

void t.test('with the rule that the Event names, nothing is corrected or reported', async (t) => {
  const ignoreDrift = [{ kind: 'ConfigMap', name: 'hello', paths: ['data.text'] }]
  const { test, settle, writes } = await besideOther(t, { ignoreDrift })
  await settle()
  t.equal(writes(), 1)
  t.strictSame(await eventsOf(test, 'FieldContested'), [])
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'False' })
})

void t.test('when the other program ends, the field is corrected, and the condition goes', async (t) => {
  const { test, clock, settle } = await besideOther(t)
  await settle()
  await clock.advance(10_000)
  await test.settled()
  t.equal((await find(test, configMaps))?.data?.text, 'one')
  await clock.advance(70_000)
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'False', reason: 'Reconciled' })
})

void t.test('a later result of a hook does not delay the next correction', async (t) => {
  const postHooks = [() => ({ requeueAfterMs: 3_600_000 })]
  const { test, clock, settle, writes } = await besideOther(t, { postHooks })
  await settle()
  t.equal(writes(), 6)
  await clock.advance(10_000)
  await test.settled()
  await settle()
  t.equal(writes(), 7)
})
