// Tests how many Events corrections of drift cause.
import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { configMaps } from '../../kube/builtin.js'
import { key } from './greetings.fixture.js'
import { create, eventsOf, find, start, until } from './reconciled.fixture.js'

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
