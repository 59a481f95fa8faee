// Tests the hooks of charts.
import t from 'tap'
import { configMaps, events, pods } from '../../kube/builtin.js'
import type { KubeObject } from '../../kube/object.js'
import { functionChart } from '../chart/function-chart.js'
import { greetings, key } from './greetings.fixture.js'
import { conditionOf, create, eventsOf, find, history, setPhase, start, until } from './reconciled.fixture.js'

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

  const old = (await find(test, pods, 'hello-hook'))?.metadata.uid
  await test.client.delete(greetings, key)
  await until(async () => ![old, undefined].includes((await find(test, pods, 'hello-hook'))?.metadata.uid))
  t.ok(await find(test, configMaps), 'the objects wait for the hook')
  t.strictSame(await history(test), ['1 uninstalling'])
  await setPhase(test, 'Succeeded')
  await until(async () => (await find(test, greetings)) === undefined)
  t.strictSame(await history(test), [])
})

void t.test(
  'a hook that the API server refuses fails the revision, without a value of a Secret',
  async (t) => {
    const refused = functionChart({ name: 'refused', version: '1.0.0' }, (_, { name }) => [
      {
        ...{ apiVersion: 'v1', kind: 'Secret', stringData: { 'no key': 'hunter2' } },
        metadata: { name, annotations: { 'helm.sh/hook': 'pre-install' } },
      } as KubeObject,
    ])
    const test = await start(t, { chart: refused })
    await create(test)
    await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.status === 'True')
    t.match(await conditionOf(test, 'ReleaseFailed'), {
      reason: 'InstallError',
      message: 'Secret default/hello (v1): Invalid',
    })
    t.match(await history(test), ['1 failed'])
    t.match(await eventsOf(test, 'InstallFailed'), [/Secret default\/hello/])
    t.notMatch(JSON.stringify([await find(test, greetings), await test.client.list(events)]), /hunter2/)
  },
)

void t.test('a hook of several events runs at each of them', async (t) => {
  const test = await start(t)
  await create(test, { text: 'one', hook: 'pre-install,pre-delete' })
  await until(async () => (await find(test, pods, 'hello-hook')) !== undefined)
  await setPhase(test, 'Succeeded')
  await until(async () => (await history(test)).join() === '1 deployed')
  const first = (await find(test, pods, 'hello-hook'))?.metadata.uid
  await test.client.delete(greetings, key)
  await until(async () => {
    const uid = (await find(test, pods, 'hello-hook'))?.metadata.uid
    return uid !== undefined && (uid !== first || (await find(test, greetings)) === undefined)
  })
  t.ok(await find(test, configMaps), 'the objects wait for the second run')
  await setPhase(test, 'Succeeded')
  await until(async () => (await find(test, greetings)) === undefined)
})
