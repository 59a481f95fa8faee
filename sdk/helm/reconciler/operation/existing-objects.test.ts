// Tests that objects that existed before an operation stay while it is not deployed.
import t from 'tap'
import type { TestOperator } from '../../../../testing/index.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import { functionChart } from '../../chart/function-chart.js'
import { configMap, greetings, key } from '../greetings.fixture.js'
import { job, jobs } from '../hooked.fixture.js'
import { create, edit, find, history, until } from '../reconciled.fixture.js'
import { deployed, failed, makeExisting, started, superseded } from './failing-releases.fixture.js'

/** The owner references of ConfigMaps. */
const ownersOf = (test: TestOperator, ...names: string[]) =>
  Promise.all(names.map(async (name) => (await find(test, configMaps, name))?.metadata.ownerReferences ?? []))

void t.test('with uninstall, objects that existed before a failed installation stay', async (t) => {
  const chart = functionChart({ name: 'half', version: '1.0.0' }, (_, { name }) => [
    configMap(`${name}-a`, { text: 'of the chart' }),
    configMap(`${name}-b`, { text: 'of the chart' }),
    configMap('z', { 'no key': '' }),
  ])
  const { test, pass, reach, text } = await started(t, { chart, onFailure: 'uninstall' })
  const uids = [await makeExisting(test, 'hello-a')]
  await create(test)
  await reach(failed)
  await pass(5_000)
  t.strictSame([await text('hello-a'), await text('hello-b')], ['of the chart', undefined])
  uids.push(await makeExisting(test, 'hello-b'))
  await pass(700_000)
  t.strictSame(await history(test), ['1 failed'], 'it is tried again in place')
  t.equal(await text('hello-b'), 'of the chart')
  const found = [await find(test, configMaps, 'hello-a'), await find(test, configMaps, 'hello-b')]
  t.strictSame(
    found.map((one) => one?.metadata.uid),
    uids,
    'also those that somebody made before the next attempt',
  )
  await pass(5_000)
  t.strictSame(
    await ownersOf(test, 'hello-a', 'hello-b'),
    [[], []],
    'and are not deleted with the custom resource',
  )
})

void t.test('they stay when the custom resource of the failed installation is deleted', async (t) => {
  const { test, reach } = await started(t, { chart: shrinking, onFailure: 'retry' })
  const uid = await makeExisting(test, 'hello-a')
  await create(test, { more: ['a', 'b'], last: 'bad' })
  await reach(failed)
  await test.client.delete(greetings, key)
  await reach()
  t.equal((await find(test, configMaps, 'hello-a'))?.metadata.uid, uid)
  t.strictSame(await ownersOf(test, 'hello-a'), [[]])
  t.equal(await find(test, configMaps, 'hello-b'), undefined, 'the installation made this one')
})

void t.test('they go with the release once it was deployed', async (t) => {
  const { test, reach } = await started(t, { chart: shrinking })
  await makeExisting(test, 'hello-a')
  await create(test, { more: ['a'] })
  await reach(deployed)
  await test.client.delete(greetings, key)
  await reach()
  t.equal(await find(test, configMaps, 'hello-a'), undefined)
})

void t.test('an object that existed before a failed upgrade stays when this is rolled back', async (t) => {
  const { test, reach } = await started(t, { chart: shrinking })
  await create(test, { more: ['a'] })
  await reach(deployed)
  const uid = await makeExisting(test, 'hello-b')
  await edit(test, { spec: { more: ['a', 'b', 'c'], last: 'bad' } })
  await reach(superseded, failed, deployed)
  t.equal((await find(test, configMaps, 'hello-b'))?.metadata.uid, uid)
  t.strictSame(await ownersOf(test, 'hello-b'), [[]])
  t.equal(await find(test, configMaps, 'hello-c'), undefined, 'the upgrade made this one')
})

const shrinking = functionChart({ name: 'shrinking', version: '1.0.0' }, ({ more, last }, { name }) => [
  ...(more as string[]).map((one) => configMap(`${name}-${one}`, {})),
  ...(last === 'bad' ? [configMap('z', { 'no key': '' })] : []),
  ...(last === 'slow' ? [job('slow', { events: 'post-install' })] : []),
])

for (const { title, last, history } of [
  { title: 'an object that existed before stays when its chart loses it', last: 'bad', history: [failed] },
  { title: 'so does one of an installation that goes on', last: 'slow', history: [] },
])
  void t.test(title, async (t) => {
    const { test, reach } = await started(t, { chart: shrinking, onFailure: 'uninstall' })
    const uid = await makeExisting(test, 'hello-a')
    await create(test, { more: ['a', 'b'], last })
    await (last === 'bad' ? reach(failed) : until(async () => (await find(test, jobs, 'slow')) !== undefined))
    await edit(test, { spec: { more: ['c'], last: '' } })
    await reach(...history, deployed)
    t.equal((await find(test, configMaps, 'hello-a'))?.metadata.uid, uid)
    t.equal(await find(test, configMaps, 'hello-b'), undefined, 'the installation made this one')
  })
