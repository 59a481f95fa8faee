// Tests what follows a revision that failed: a rollback, an uninstallation, and the rest of its inputs.
import t, { type Test } from 'tap'
import { createApiServer } from '../../../../apiserver/api-server.js'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import type { TestOperator } from '../../../../testing/index.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import { annotationNames } from '../../annotations/annotation-reader.js'
import { functionChart } from '../../chart/function-chart.js'
import { ReleaseStore } from '../../release/release-store.js'
import { configMap } from '../greetings.fixture.js'
import { job, jobs } from '../hooked.fixture.js'
import type { HelmControllerOptions } from '../options/options.js'
import { conditionOf, create, edit, eventsOf, find, history, start, until } from '../reconciled.fixture.js'

/** A ConfigMap that cannot be changed, and others before it and after it. */
const frozen = functionChart({ name: 'frozen', version: '1.0.0' }, ({ text = 'a', bad }, { name }) => [
  configMap(`${name}-a`, { text: String(text) }),
  { ...configMap(name, { text: String(text) }), immutable: true },
  ...(bad ? [configMap('z', { 'no key': '' })] : []),
])

async function started(t: Test, options: Partial<HelmControllerOptions> = {}) {
  const clock = new VirtualClock()
  const servers = { main: await createApiServer({ clock }) }
  const test = await start(t, { chart: frozen, reconcilePeriodMs: 0, ...options }, { clock, servers })
  /** Lets time pass; runs under way end meanwhile. */
  const pass = async (ms: number) => {
    await clock.advance(ms)
    for (let turn = 0; turn < 20; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      await clock.advance(20)
    }
  }
  /** Lets time pass until the history is as expected. */
  const reach = async (...expected: RegExp[]) =>
    until(async () => {
      await clock.advance(20)
      const found = await history(test)
      return found.length === expected.length && expected.every((one, at) => one.test(found[at] ?? ''))
    })
  const text = async (name: string) => (await find(test, configMaps, name))?.data?.text
  return { test, pass, reach, text }
}
const superseded = /superseded/
const failed = /failed/
const deployed = /deployed/

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

void t.test('with uninstall, objects that existed before a failed installation stay', async (t) => {
  const chart = functionChart({ name: 'half', version: '1.0.0' }, (_, { name }) => [
    configMap(`${name}-a`, { text: 'of the chart' }),
    configMap(`${name}-b`, { text: 'of the chart' }),
    configMap('z', { 'no key': '' }),
  ])
  const { test, pass, reach, text } = await started(t, { chart, onFailure: 'uninstall' })
  const release = { 'meta.helm.sh/release-name': 'hello', 'meta.helm.sh/release-namespace': 'default' }
  const metadata = { namespace: 'default', labels: { 'app.kubernetes.io/managed-by': 'Helm' } }
  const make = (name: string) =>
    test.client.create(configMaps, { metadata: { ...metadata, name, annotations: release } })
  const uids = [(await make('hello-a')).metadata.uid]
  await create(test)
  await reach(failed)
  await pass(5_000)
  t.strictSame([await text('hello-a'), await text('hello-b')], ['of the chart', undefined])
  uids.push((await make('hello-b')).metadata.uid)
  await pass(700_000)
  t.strictSame(await history(test), ['1 failed'], 'it is tried again in place')
  t.equal(await text('hello-b'), 'of the chart')
  const found = [await find(test, configMaps, 'hello-a'), await find(test, configMaps, 'hello-b')]
  t.strictSame(
    found.map((one) => one?.metadata.uid),
    uids,
    'also those that somebody made before the next attempt',
  )
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
    const annotations = { 'meta.helm.sh/release-name': 'hello', 'meta.helm.sh/release-namespace': 'default' }
    const labels = { 'app.kubernetes.io/managed-by': 'Helm' }
    const metadata = { namespace: 'default', name: 'hello-a', labels, annotations }
    const { uid } = (await test.client.create(configMaps, { metadata })).metadata
    await create(test, { more: ['a', 'b'], last })
    await (last === 'bad' ? reach(failed) : until(async () => (await find(test, jobs, 'slow')) !== undefined))
    await edit(test, { spec: { more: ['c'], last: '' } })
    await reach(...history, deployed)
    t.equal((await find(test, configMaps, 'hello-a'))?.metadata.uid, uid)
    t.equal(await find(test, configMaps, 'hello-b'), undefined, 'the installation made this one')
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
