// Tests that an edited record has no effect outside of the namespace of its release, and that others are carried out.
import t from 'tap'
import { configMaps } from '../../../engine/kube/builtin.js'
import { annotationNames } from '../../annotations/annotation-reader.js'
import type { Release } from '../../release/release.js'
import { greetings, key } from '../greetings.fixture.js'
import { conditionOf, create, edit, find, history, until } from '../reconciled.fixture.js'
import {
  chartOf,
  digestedRevisions,
  digestsOf,
  farewell,
  forge,
  hookWith,
  rendering,
  roleRules,
  rollBackTo,
  rulesOf,
  setDigests,
  setStatus,
  started,
} from './edited-records.fixture.js'

void t.test('hooks of the chart in another namespace run, and objects without a namespace go', async (t) => {
  const test = await started(t)
  await create(test)
  await test.settled()
  t.strictSame(await rulesOf(test), roleRules)
  await test.client.delete(greetings, key)
  await test.settled()
  t.notOk(await find(test, greetings))
  t.strictSame([await farewell(test), await rulesOf(test)], ['bye', undefined])
})

void t.test('a hook of an edited record does not run in another namespace', async (t) => {
  const test = await started(t)
  await create(test)
  await test.settled()
  await forge(test, 1, hookWith('forged'))
  await test.client.delete(greetings, key)
  await test.settled()
  t.equal(await farewell(test), undefined)
  t.match(await conditionOf(test, 'Irreconcilable'), {
    reason: 'NotAllowed',
    message:
      /release hello is not carried out: ConfigMap other\/farewell is in another namespace, and its chart does not make/,
  })
  const disabled = { [annotationNames.uninstallDisableHooks ?? '']: 'true' }
  await edit(test, { metadata: { annotations: disabled } })
  await test.settled()
  t.notOk(await find(test, greetings), 'it goes without its hooks')
})

void t.test('a hook in another namespace waits until its chart can be rendered', async (t) => {
  const test = await started(t)
  await create(test)
  await test.settled()
  rendering.works = false
  await setDigests(test, [{ revision: 1, digest: 'sha256:other' }])
  await test.client.delete(greetings, key)
  await test.settled()
  t.equal(await farewell(test), undefined)
  t.match(await conditionOf(test, 'Irreconcilable'), {
    reason: 'NotAllowed',
    message: /its chart cannot be rendered now: .*the chart is broken/,
  })
  rendering.works = true
  await edit(test, { metadata: { labels: { any: 'change' } } })
  await test.settled()
  t.strictSame([await find(test, greetings), await farewell(test)], [undefined, 'bye'])
})

void t.test('a record counts if the status never had a digest, as after an older SDK', async (t) => {
  const test = await started(t)
  await create(test)
  await test.settled()
  rendering.works = false
  await setStatus(test, { revisionDigests: null })
  await test.client.delete(greetings, key)
  await test.settled()
  rendering.works = true
  t.strictSame([await find(test, greetings), await farewell(test)], [undefined, 'bye'])
})

void t.test('the first digest of a revision stays', async (t) => {
  const test = await started(t)
  await create(test)
  await test.settled()
  const first = [{ revision: 1, digest: 'sha256:other' }]
  await setDigests(test, first)
  await edit(test, { metadata: { labels: { any: 'change' } } })
  await test.settled()
  t.strictSame(await digestsOf(test), first)
  await edit(test, { spec: { text: 'two' } })
  await test.settled()
  t.strictSame(await digestedRevisions(test), [1, 2])
})

void t.test(
  'a rollback brings back what the chart makes in all places, and nothing else there',
  async (t) => {
    const first = await started(t)
    await create(first, { text: 'one' })
    await first.settled()
    await first.stop()
    const test = await started(t, { chart: chartOf('2.0.0') }, first)
    await edit(test, { spec: { text: 'two' } })
    await test.settled()
    t.strictSame(await history(test), ['1 superseded', '2 superseded', '3 deployed'])
    await rollBackTo(test, 1)
    await test.settled()
    t.strictSame((await history(test)).at(-1), '4 deployed', 'another version of the chart does not matter')
    t.equal((await find(test, configMaps))?.data?.text, 'one')

    await rollBackTo(test, null)
    await test.settled()
    const otherRules = ({ manifest }: Release) => ({ manifest: manifest.replace('pods', 'secrets') })
    await forge(test, 1, otherRules)
    await rollBackTo(test, 1)
    await test.settled()
    t.match(await conditionOf(test, 'Irreconcilable'), {
      reason: 'NotAllowed',
      message: /ClusterRole reader/,
    })
    t.strictSame(await rulesOf(test), roleRules)
  },
)

void t.test('a failed upgrade of a chart with a ClusterRole is rolled back', async (t) => {
  const test = await started(t)
  await create(test, { text: 'one', immutable: true })
  await test.settled()
  await edit(test, { spec: { text: 'two' } })
  await until(async () => (await history(test)).join() === '1 superseded,2 failed,3 deployed')
  await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.reason === 'RolledBack')
  t.strictSame(await rulesOf(test), roleRules)
})

void t.test('an option that permits them lets records have such objects', async (t) => {
  const test = await started(t, { allow: { namespaces: ['other'], clusterScoped: true } })
  await create(test)
  await test.settled()
  await forge(test, 1, hookWith('changed'))
  await test.client.delete(greetings, key)
  await test.settled()
  t.strictSame([await find(test, greetings), await farewell(test)], [undefined, 'changed'])
})
