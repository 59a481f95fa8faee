// Tests the hooks of charts.
import t from 'tap'
import { configMaps, pods } from '../../kube/builtin.js'
import { greetings, key } from './greetings.fixture.js'
import { conditionOf, create, find, history, setPhase, start, until } from './reconciled.fixture.js'

void t.test('hooks run before and after the objects; a failing one stops the release', async (t) => {
  const test = await start(t)
  await create(test, { text: 'one', hook: 'pre-install,pre-delete' })
  await until(async () => (await find(test, pods, 'hello-hook')) !== undefined)
  t.equal(await find(test, configMaps), undefined, 'the objects wait for the hook')
  t.strictSame(await history(test), ['1 pending-install'])
  await setPhase(test, 'Failed')
  await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.status === 'True')
  t.match(await conditionOf(test, 'ReleaseFailed'), {
    reason: 'InstallError',
    message: /the hook Pod .* failed/,
  })
  const failed = (await find(test, pods, 'hello-hook'))?.metadata.uid
  await until(async () => ![failed, undefined].includes((await find(test, pods, 'hello-hook'))?.metadata.uid))
  await setPhase(test, 'Succeeded')
  await until(async () => (await history(test)).join() === '1 deployed')
  t.match(await find(test, configMaps), { data: { text: 'one' } })

  await test.client.delete(greetings, key)
  await until(async () => (await history(test)).join() === '1 uninstalling')
  const old = (await find(test, pods, 'hello-hook'))?.metadata.uid
  await until(async () => ![old, undefined].includes((await find(test, pods, 'hello-hook'))?.metadata.uid))
  t.ok(await find(test, configMaps), 'the objects wait for the hook')
  await setPhase(test, 'Succeeded')
  await until(async () => (await find(test, greetings)) === undefined)
  t.strictSame(await history(test), [])
})
