// Tests the annotations that change what is done with a release.
import t from 'tap'
import { configMaps, secrets } from '../../engine/kube/builtin.js'
import { annotationNames } from '../annotations/annotation-reader.js'
import { functionChart } from '../chart/function-chart.js'
import { ReleaseStore } from '../release/release-store.js'
import { secretName } from '../release/stored-release.js'
import { configMap, greetings, key } from './greetings.fixture.js'
import {
  conditionOf,
  create,
  edit,
  eventsOf,
  find,
  history,
  start,
  statusOf,
  until,
} from './reconciled.fixture.js'

const annotate = (annotations: object) => ({ metadata: { annotations } })
const { installDescription, rollbackTo, upgradeForce, uninstallWait } = annotationNames

void t.test('rollback-to holds an earlier revision until it is removed', async (t) => {
  const test = await start(t, { annotations: annotationNames })
  await create(test, { text: 'one', more: ['a'] })
  await test.settled()
  await edit(test, { spec: { text: 'two', more: [] } })
  await test.settled()
  await edit(test, annotate({ [rollbackTo]: '1' }))
  await test.settled()
  t.strictSame(await history(test), ['1 superseded', '2 superseded', '3 deployed'])
  t.match(await find(test, configMaps), { data: { text: 'one' } })
  t.ok(await find(test, configMaps, 'hello-a'), 'an object that had left the chart is back')
  t.match(await conditionOf(test, 'Deployed'), { status: 'True', reason: 'RolledBack' })
  await edit(test, { spec: { text: 'three' } })
  await test.client.delete(configMaps, key)
  await test.settled()
  t.equal((await history(test)).length, 3, 'the spec does not count meanwhile')
  t.match(await find(test, configMaps), { data: { text: 'one' } }, 'drift does')
  await edit(test, annotate({ [rollbackTo]: null }))
  await test.settled()
  t.match((await history(test)).slice(2), ['3 superseded', '4 deployed'])
  t.match(await find(test, configMaps), { data: { text: 'three' } })

  await edit(test, annotate({ [rollbackTo]: '9' }))
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'True', reason: 'UnknownRevision' })
})

void t.test('rollback-to a revision that is pruned afterwards holds the same content', async (t) => {
  const test = await start(t, { annotations: annotationNames, maxHistory: 2 })
  await create(test, { text: 'one' })
  await test.settled()
  await edit(test, { spec: { text: 'two' } })
  await test.settled()
  await edit(test, annotate({ [rollbackTo]: '1' }))
  await test.settled()
  await edit(test, { spec: { text: 'three' } })
  await test.settled()
  t.strictSame(await history(test), ['2 superseded', '3 deployed'])
  t.match(await find(test, configMaps), { data: { text: 'one' } })
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'False' })

  // Helm rewrites a record without its annotations, for example after `helm test`.
  const record = { namespace: 'default', name: secretName({ name: 'hello', version: 3 }) }
  const { metadata, ...rest } = await test.client.get(secrets, record)
  await test.client.update(secrets, { ...rest, metadata: { ...metadata, annotations: {} } })
  await edit(test, { spec: { text: 'four' } })
  await test.settled()
  t.match(await find(test, configMaps), { data: { text: 'one' } }, 'it is still known as a rollback')
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'False' })
  t.match(await conditionOf(test, 'Deployed'), { reason: 'RolledBack' })
})

void t.test('a pending upgrade with the inputs of a rollback is not continued as one', async (t) => {
  const test = await start(t, { annotations: annotationNames })
  await create(test, { text: 'one' })
  await test.settled()
  await edit(test, { spec: { text: 'two' } })
  await test.settled()
  const store = new ReleaseStore(test.client, Date.now)
  const [first] = await store.revisions('default', 'hello')
  if (!first?.written) throw new Error('the first revision has no progress')
  const { release, written, owner } = first
  const info = { ...release.info, status: 'pending-upgrade' } as const
  const progress = { ...written, kind: 'upgrade', stage: 'objects', attempt: 1, holder: 'an ended process' }
  await store.create({ release: { ...release, version: 3, info }, labels: {}, owner, written: progress })
  await edit(test, annotate({ [rollbackTo]: '1' }))
  await test.settled()
  t.strictSame(await history(test), ['1 superseded', '2 superseded', '3 deployed'])
  t.match(await find(test, configMaps), { data: { text: 'one' } })
  t.match(await conditionOf(test, 'Deployed'), { reason: 'RolledBack' })
})

void t.test('a description by a user does not make a revision a rollback', async (t) => {
  const test = await start(t, { annotations: annotationNames })
  await create(test, { text: 'one' }, { [installDescription]: 'Rollback to 9' })
  await test.settled()
  await edit(test, annotate({ [rollbackTo]: '9' }))
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'True', reason: 'UnknownRevision' })
})

const frozen = functionChart({ name: 'frozen', version: '1.0.0' }, ({ text }, { name }) => [
  { ...configMap(name, { text: String(text) }), immutable: true },
])

void t.test('upgrade-force replaces an object that cannot be changed', async (t) => {
  const test = await start(t, { chart: frozen, annotations: annotationNames })
  await create(test, { text: 'one' }, { [upgradeForce]: 'true' })
  await test.settled()
  const before = (await find(test, configMaps))?.metadata.uid
  await edit(test, { spec: { text: 'two' } })
  await until(async () => (await history(test)).at(-1) === '2 deployed')
  const after = await find(test, configMaps)
  t.match(after, { data: { text: 'two' } })
  t.not(after?.metadata.uid, before, 'it is another object')
  t.match(await eventsOf(test, 'Replaced'), [/ConfigMap default\/hello was deleted/])
})

void t.test('upgrade-force waits for an object that is kept by a finalizer', async (t) => {
  const test = await start(t, { chart: frozen, annotations: annotationNames })
  await create(test, { text: 'one' }, { [upgradeForce]: 'true' })
  await test.settled()
  const finalizers = (names: string[]) =>
    test.client.patch(configMaps, key, { type: 'merge', body: { metadata: { finalizers: names } } })
  await finalizers(['example.com/hold'])
  await edit(test, { spec: { text: 'two' } })
  await until(async () => (await conditionOf(test, 'Progressing'))?.status === 'True')
  t.match(await conditionOf(test, 'Progressing'), {
    message: 'waits for the end of ConfigMap default/hello, which is replaced',
  })
  t.match((await history(test)).at(-1), '2 pending-upgrade')
  await finalizers([])
  await until(async () => (await history(test)).at(-1) === '2 deployed')
  t.match(await find(test, configMaps), { data: { text: 'two' } })
})

void t.test('uninstall-wait keeps the object until those of the release are gone', async (t) => {
  const test = await start(t, { annotations: annotationNames, uninstallTimeoutMs: 1 })
  await create(test, { text: 'one' }, { [uninstallWait]: 'true' })
  await test.settled()
  const finalizers = (names: string[]) =>
    test.client.patch(configMaps, key, { type: 'merge', body: { metadata: { finalizers: names } } })
  await finalizers(['example.com/hold'])
  await test.client.delete(greetings, key)
  await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.reason === 'UninstallError')
  t.match(await conditionOf(test, 'ReleaseFailed'), {
    message: 'ConfigMap default/hello are still there after 0.001 s; see their finalizers',
  })
  t.strictSame(await history(test), ['1 uninstalling'])
  await finalizers([])
  await until(async () => (await find(test, greetings)) === undefined)
  t.strictSame(await history(test), [])
  t.equal(await statusOf(test), undefined)
})
