// Tests that a record that the operator did not write gives its author nothing, and that releases of others still work.
import t, { type Test } from 'tap'
import type { TestOperator } from '../../../../testing/index.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import { byNumber } from '../../release/history.js'
import { ReleaseStore } from '../../release/release-store.js'
import { greetings, key } from '../greetings.fixture.js'
import { conditionOf, create, edit, find, history, statusOf, until } from '../reconciled.fixture.js'
import {
  chartOf,
  digestedRevisions,
  digestsOf,
  farewell,
  rendering,
  roleRules,
  rulesOf,
  setStatus,
  started,
} from './edited-records.fixture.js'

const strongRules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]
const clusterRole = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'reader' },
  rules: strongRules,
}

/** Creates the record of a release that names a custom resource as its owner, with a hook that makes a ClusterRole. */
async function forge({ client }: TestOperator, owner: string): Promise<void> {
  const manifest = JSON.stringify(clusterRole)
  const hook = { name: 'reader', kind: 'ClusterRole', path: 'a', manifest, events: ['pre-delete'], weight: 0 }
  const time = new Date(0).toISOString()
  const release = {
    ...key,
    version: 1,
    info: { first_deployed: time, last_deployed: time, status: 'deployed' },
    chart: { metadata: { name: 'wide' }, lock: null, schema: '', templates: [], files: [], values: {} },
    config: {},
    manifest: '',
    hooks: [hook],
  }
  await new ReleaseStore(client, Date.now).create({ owner, labels: {}, release: release as never })
}

void t.test('a record that came before the first revision runs no hook', async (t) => {
  for (const onForeignRevision of ['reconcile', 'hold'] as const) {
    const test = await started(t, { onForeignRevision })
    await test.client.create(configMaps, { metadata: key })
    const { uid = '' } = (await create(test)).metadata
    await test.settled()
    t.match(await conditionOf(test, 'Irreconcilable'), { reason: 'NotOurs' })
    await forge(test, uid)
    await edit(test, { metadata: { labels: { any: 'change' } } })
    await test.settled()
    t.strictSame([await history(test), await digestsOf(test)], [['1 deployed'], []])
    const isReported = (await statusOf(test))?.deployedRelease !== undefined
    t.equal(isReported, onForeignRevision === 'hold')
    await test.client.delete(greetings, key)
    await test.settled()
    const message = /ClusterRole reader/
    t.match(await conditionOf(test, 'Irreconcilable'), { reason: 'NotAllowed', message })
    t.equal(await rulesOf(test), undefined)
  }
})

/** Deploys version 1, and makes its record and the status what another program leaves. The operator is stopped. */
async function releaseOfOther(t: Test, status: object): Promise<TestOperator> {
  const first = await started(t)
  await create(first, { text: 'one', immutable: true })
  await first.settled()
  await first.stop()
  const store = new ReleaseStore(first.client, Date.now)
  const [record] = byNumber(await store.revisions('default', 'hello'))
  if (!record) throw new Error('there is no release')
  await store.update({ ...record, owner: undefined, ownerReferences: [], written: undefined })
  await setStatus(first, { revisionDigests: null, deployedRelease: null, ...status })
  return first
}
/** The status that the Go operator SDK writes. */
const ofGo = { deployedRelease: { name: 'hello', manifest: 'a' } }

for (const status of [{}, ofGo])
  void t.test(
    `a release that is taken over is uninstalled with its hooks ${Object.keys(status)}`,
    async (t) => {
      const test = await started(t, {}, await releaseOfOther(t, status))
      await test.settled()
      t.strictSame(await digestedRevisions(test), [1])
      rendering.works = false
      await test.client.delete(greetings, key)
      await test.settled()
      rendering.works = true
      t.strictSame([await find(test, greetings), await farewell(test)], [undefined, 'bye'])
    },
  )

const moreRules = [...roleRules, { apiGroups: [''], resources: ['services'], verbs: ['get'] }]
const withMoreRules = { chart: chartOf('2.0.0', { rules: moreRules }) }

void t.test('an upgrade that fails after the Go operator goes back to what that deployed', async (t) => {
  const first = await releaseOfOther(t, ofGo)
  await edit(first, { spec: { text: 'two' } })
  const test = await started(t, withMoreRules, first)
  await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.reason === 'RolledBack')
  t.strictSame(await history(test), ['1 superseded', '2 failed', '3 deployed'])
  t.strictSame(await rulesOf(test), roleRules)
  t.equal((await statusOf(test))?.revisionDigests, undefined, 'its record was merely read')
})

void t.test('one that fails after helm goes back only to what the chart makes now', async (t) => {
  const first = await releaseOfOther(t, {})
  await edit(first, { spec: { text: 'two' } })
  const test = await started(t, withMoreRules, first)
  await until(async () => (await conditionOf(test, 'Irreconcilable'))?.reason === 'NotAllowed')
  t.match((await conditionOf(test, 'Irreconcilable'))?.message, /ClusterRole reader/)
  t.strictSame(await history(test), ['1 deployed', '2 failed'])
})
