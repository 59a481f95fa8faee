// Tests what follows a revision that failed: a rollback, an uninstallation, and the rest of its inputs.
import t, { type Test } from 'tap'
import type { TestOperator } from '../../../../testing/index.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import { annotationNames } from '../../annotations/annotation-reader.js'
import { ReleaseStore } from '../../release/release-store.js'
import type { HelmControllerOptions } from '../options/options.js'
import { conditionOf, create, edit, eventsOf, history, until } from '../reconciled.fixture.js'
import { deployed, failed, started, superseded } from './failing-releases.fixture.js'

void t.test('an upgrade that fails is rolled back once, and its inputs rest', async (t) => {
  const { test, pass, reach, text } = await started(t)
  await create(test, { text: 'one' })
  await reach(deployed)
  await edit(test, { spec: { text: 'two' } })
  await reach(superseded, failed, deployed)
  await pass(5_000)
  t.equal(await text('hello-a'), 'one', 'what was changed before the failure is as before')
  t.match(await conditionOf(test, 'Deployed'), { status: 'True', reason: 'RolledBack' })
  t.match(await conditionOf(test, 'ReleaseFailed'), {
    status: 'True',
    reason: 'RolledBack',
    message: /ConfigMap default\/hello .*immutable.*; revision 1 is back/,
  })
  t.equal((await eventsOf(test, 'RolledBack')).length, 1)
  await pass(580_000)
  t.strictSame(await history(test), ['1 superseded', '2 failed', '3 deployed'], 'they rest for ten minutes')
  for (let minute = 10; minute < 60; minute += 10) await pass(610_000)
  await reach(/^1 superseded/, /^(?!2)\d+ failed/, deployed)
  t.pass('two revisions after an hour, not hundreds')

  await edit(test, { spec: { text: 'one', more: 'x' } })
  await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.status === 'False')
  t.match((await history(test)).at(-1), /deployed/, 'other values are tried at once')
})

void t.test('the annotation retry tries inputs again that rest', async (t) => {
  const { retry = '' } = annotationNames
  const { test, pass, reach, text } = await started(t, { annotations: { retry } })
  await create(test, { text: 'one' })
  await reach(deployed)
  await edit(test, { spec: { text: 'two' } })
  await reach(/^1/, /^2 failed/, /^3 deployed/)
  await pass(1_000)
  await test.client.delete(configMaps, { namespace: 'default', name: 'hello' })
  await until(async () => (await text('hello')) === 'one')
  await pass(1_000)
  t.strictSame(await history(test), ['1 superseded', '2 failed', '3 deployed'], 'drift is put right')
  await edit(test, { metadata: { annotations: { [retry]: 'again' } } })
  await reach(/^1 superseded/, /^4 failed/, /^5 deployed/)
})

void t.test('with retry, a failed upgrade stays, and is tried again in place', async (t) => {
  const { test, pass, reach, text } = await started(t, { onFailure: 'retry' })
  await create(test, { text: 'one' })
  await reach(deployed)
  await edit(test, { spec: { text: 'two' } })
  await reach(deployed, failed)
  await pass(10_000)
  t.equal((await history(test)).length, 2)
  t.equal(await text('hello-a'), 'two')
  t.match(await conditionOf(test, 'ReleaseFailed'), { status: 'True', reason: 'UpgradeError' })
})

void t.test('with uninstall, what a failed installation made is deleted', async (t) => {
  const { test, pass, reach, text } = await started(t, { onFailure: 'uninstall' })
  await create(test, { text: 'one', bad: true })
  await reach(failed)
  await pass(5_000)
  t.equal(await text('hello-a'), undefined)
  t.match(await conditionOf(test, 'ReleaseFailed'), { status: 'True', reason: 'InstallError' })
  t.match(await conditionOf(test, 'Deployed'), { status: 'False' })
  await pass(700_000)
  t.strictSame(await history(test), ['1 failed'], 'it is tried again in place')
  await edit(test, { spec: { bad: false } })
  await reach(/^1 failed/, /^2 deployed/)
  t.equal(await text('hello-a'), 'one')
})

void t.test('a failed installation stays by default, for people to look at', async (t) => {
  const { test, pass, reach, text } = await started(t)
  await create(test, { text: 'one', bad: true })
  await reach(failed)
  await pass(5_000)
  t.strictSame(await history(test), ['1 failed'])
  t.equal(await text('hello-a'), 'one')
})

/** Adds an object of another namespace to the record of a revision, as a user who may write Secrets can. */
async function forge({ client }: TestOperator, version: number): Promise<void> {
  const store = new ReleaseStore(client, Date.now)
  const record = (await store.revisions('default', 'hello')).find((one) => one.release.version === version)
  if (!record) throw new Error(`there is no revision ${version}`)
  const { release } = record
  const forged = '---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: forged, namespace: kube-system}\n'
  await store.update({ ...record, release: { ...release, manifest: `${release.manifest}${forged}` } })
}
const isForged = ({ client }: TestOperator) =>
  client.get(configMaps, { namespace: 'kube-system', name: 'forged' }).then(
    () => true,
    () => false,
  )

const isEditRefused = async (t: Test, options: Partial<HelmControllerOptions>) => {
  let forging: (() => Promise<void>) | undefined
  const preHooks = [
    async () => {
      await forging?.()
      forging = undefined
    },
  ]
  const { test, reach } = await started(t, { ...options, preHooks })
  await create(test, { text: 'one' })
  await reach(deployed)
  forging = () => forge(test, 1)
  await edit(test, { spec: { text: 'two' } })
  await reach(deployed, failed)
  await until(async () => (await conditionOf(test, 'Irreconcilable'))?.reason === 'NotAllowed')
  t.strictSame([await isForged(test), await history(test)], [false, ['1 deployed', '2 failed']])
}

void t.test('a revision that a user edits is not brought back if the policy refuses it', (t) =>
  isEditRefused(t, { allow: {} }),
)

void t.test('nor without a policy, if the chart does not make its objects', (t) => isEditRefused(t, {}))

void t.test('nor are objects of one repaired that is back', async (t) => {
  const { test, reach, pass } = await started(t, { allow: {} })
  await create(test, { text: 'one' })
  await reach(deployed)
  await edit(test, { spec: { text: 'two' } })
  await reach(superseded, failed, deployed)
  await pass(1_000)
  await forge(test, 3)
  await edit(test, { metadata: { labels: { any: 'thing' } } })
  await until(async () => (await conditionOf(test, 'Irreconcilable'))?.reason === 'NotAllowed')
  t.equal(await isForged(test), false)
})

void t.test(
  'after a rollback, a contested field is corrected before the inputs are tried again',
  async (t) => {
    const { test, pass, reach, text } = await started(t)
    await create(test, { text: 'one' })
    await reach(deployed)
    await edit(test, { spec: { text: 'two' } })
    await reach(superseded, failed, deployed)
    await pass(1_000)
    const theirs = { type: 'merge', body: { data: { text: 'theirs' } } } as const
    for (let write = 0; write < 6; write++) {
      await test.client.patch(configMaps, { namespace: 'default', name: 'hello-a' }, theirs)
      await pass(100)
    }
    t.equal(await text('hello-a'), 'theirs', 'the field is contested')
    await pass(11_000)
    t.equal(await text('hello-a'), 'one')
    t.strictSame(await history(test), ['1 superseded', '2 failed', '3 deployed'])
  },
)
