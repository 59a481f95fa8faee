// Tests that records of other versions of the chart are carried out if they are what the operator deployed.
import t, { type Test } from 'tap'
import type { TestOperator } from '../../../../testing/index.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import { LeastRecent } from '../../render/least-recent.js'
import { greetings, key } from '../greetings.fixture.js'
import { conditionOf, create, edit, find, history, until } from '../reconciled.fixture.js'
import { contentDigest } from './content-digest.js'
import {
  chartOf,
  digestedRevisions,
  digestsOf,
  farewell,
  forge,
  hookWith,
  roleRules,
  rollBackTo,
  rulesOf,
  setDigests,
  started,
} from './edited-records.fixture.js'
import { isVouchedFor, noteDigest } from './revision-digests.js'

const moreRules = [...roleRules, { apiGroups: [''], resources: ['services'], verbs: ['get'] }]

/** Deploys version 1 of the chart, and stops. Version 2, with more rules, will fail to replace a ConfigMap. */
async function beforeFailure(t: Test): Promise<TestOperator> {
  const first = await started(t)
  await create(first, { text: 'one', immutable: true })
  await first.settled()
  await first.stop()
  await edit(first, { spec: { text: 'two' } })
  return first
}
const withMoreRules = { chart: chartOf('2.0.0', { rules: moreRules }) }

void t.test('a failed upgrade is rolled back to what another version of the chart made', async (t) => {
  const first = await beforeFailure(t)
  const second = await started(t, withMoreRules, first)
  await until(async () => (await conditionOf(second, 'ReleaseFailed'))?.reason === 'RolledBack')
  t.strictSame(await history(second), ['1 superseded', '2 failed', '3 deployed'])
  t.strictSame(await rulesOf(second), roleRules)
  const digests = await digestsOf(second)
  t.strictSame([digests.length, new Set(digests.map(({ digest }) => digest)).size], [2, 1])

  await second.settled()
  await second.stop()
  await setDigests(second, digests.slice(0, 1))
  const third = await started(t, withMoreRules, second)
  await third.settled()
  t.match(await conditionOf(third, 'ReleaseFailed'), { reason: 'RolledBack' })
  t.match(await conditionOf(third, 'Irreconcilable'), { status: 'False' })
  t.strictSame(await digestsOf(third), digests, 'also if a process died before it wrote the digest')
})

void t.test('it is not rolled back to a record that was edited meanwhile', async (t) => {
  const first = await beforeFailure(t)
  await forge(first, 1, ({ manifest }) => ({ manifest: manifest.replace('pods', 'secrets') }))
  const test = await started(t, withMoreRules, first)
  await until(async () => (await conditionOf(test, 'Irreconcilable'))?.reason === 'NotAllowed')
  t.match((await conditionOf(test, 'Irreconcilable'))?.message, /ClusterRole reader/)
  t.strictSame(await history(test), ['1 deployed', '2 failed'])
})

void t.test(
  'a deletion runs the hooks of another version of the chart, unless they were edited',
  async (t) => {
    for (const isEdited of [false, true]) {
      const first = await started(t)
      await create(first)
      await first.settled()
      await first.stop()
      if (isEdited) await forge(first, 1, hookWith('forged'))
      await first.client.delete(greetings, key)
      const test = await started(t, { chart: chartOf('2.0.0', { bye: 'so long' }) }, first)
      await test.settled()
      t.equal(await farewell(test), isEdited ? undefined : 'bye')
      t.equal((await conditionOf(test, 'Irreconcilable'))?.reason, isEdited ? 'NotAllowed' : undefined)
    }
  },
)

void t.test('a record that was merely read gets no digest', async (t) => {
  const test = await started(t)
  await create(test, { text: 'one' })
  await test.settled()
  await edit(test, { spec: { text: 'two' } })
  await test.settled()
  t.strictSame(await digestedRevisions(test), [1, 2])
  const [, second] = await digestsOf(test)
  await setDigests(test, second ? [second] : [])
  await forge(test, 1, ({ manifest }) => ({ manifest: manifest.replace('one', 'edited') }))
  await rollBackTo(test, 1)
  await test.settled()
  t.strictSame((await history(test)).at(-1), '3 deployed')
  t.equal((await find(test, configMaps))?.data?.text, 'edited', 'users may change the namespace of a release')
  t.strictSame(await digestedRevisions(test), [2])
})

void t.test('the digests of revisions that are gone go', async (t) => {
  const test = await started(t, { maxHistory: 2 })
  for (const text of ['one', 'two', 'three', 'four', 'five']) {
    await (text === 'one' ? create(test, { text }) : edit(test, { spec: { text } }))
    await test.settled()
  }
  t.strictSame(await history(test), ['4 superseded', '5 deployed'])
  t.strictSame(await digestedRevisions(test), [3, 4, 5], 'one more than the records')
})

void t.test('a digest counts for its revision, and for one that brings it back', async (t) => {
  const [manifest, chart] = [
    '---\nkind: A\n',
    { metadata: {}, lock: null, schema: '', templates: [], files: [], values: {} },
  ]
  const release = { name: 'hello', namespace: 'default' }
  const content = { manifest, chart, objects: [], hooks: [], crds: [], notes: '' }
  const run = { release, digests: [{ revision: 1, digest: await contentDigest(release, content) }] }
  const isTrusted = (version: number, to?: number) => {
    const stored = { release: { ...release, ...content, version, config: {}, info: { status: 'deployed' } } }
    const written = to === undefined ? undefined : { inputs: '', stage: '', attempt: 1, holder: '', to }
    return isVouchedFor(run as never, { ...stored, labels: {}, written } as never, content)
  }
  t.strictSame(
    [await isTrusted(1), await isTrusted(2), await isTrusted(3, 1), await isTrusted(3, 2)],
    [true, false, true, false],
  )
})

void t.test('a kind that drops the digests costs three of them for each record', async (t) => {
  let computed = 0
  const rendered = {
    get hooks() {
      computed++
      return []
    },
    objects: [],
  }
  const revision = { release: { version: 1 }, secret: { metadata: { uid: 'a', resourceVersion: '1' } } }
  const wanted = { rendered, chart: {} }
  const digestWrites = new LeastRecent<number>(10)
  for (let runs = 0; runs < 5; runs++) {
    const ctx = { status: {} }
    const run = { ctx, digests: [], digestWrites, store: {}, release: { name: 'a', namespace: 'b' } }
    await noteDigest(run as never, { revision, wanted, isNew: false } as never)
  }
  t.equal(computed, 3)
})
