// Tests that upgrade-force and rollback-force delete no object that the release did not make.
import t, { type Test } from 'tap'
import type { TestOperator } from '../../../../testing/index.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import { annotationNames } from '../../annotations/annotation-reader.js'
import { functionChart } from '../../chart/function-chart.js'
import { configMap } from '../greetings.fixture.js'
import type { HelmControllerOptions } from '../options/options.js'
import { conditionOf, create, edit, eventsOf, find } from '../reconciled.fixture.js'
import { deployed, failed, started, superseded } from './failing-releases.fixture.js'

/** A chart with the immutable ConfigMaps that the values name. */
const chart = functionChart({ name: 'forced', version: '1.0.0' }, ({ more, text }, { name }) =>
  (more as string[]).map((one) => ({
    ...configMap(`${name}-${one}`, { text: String(text) }),
    immutable: true,
  })),
)

const startForced = (t: Test, options: Partial<HelmControllerOptions> = {}) =>
  started(t, { chart, annotations: annotationNames, onFailure: 'retry', ...options })

const forced = { [annotationNames.upgradeForce]: 'true' }

/** A user makes an object that cannot be changed, with the labels and annotations of the release if it is `marked`. */
async function makeImmutable({ client }: TestOperator, isMarked: boolean): Promise<string | undefined> {
  const annotations = { 'meta.helm.sh/release-name': 'hello', 'meta.helm.sh/release-namespace': 'default' }
  const metadataOfRelease = isMarked && { annotations, labels: { 'app.kubernetes.io/managed-by': 'Helm' } }
  const metadata = { namespace: 'default', name: 'hello-b', ...metadataOfRelease }
  return (await client.create(configMaps, { metadata, data: { text: 'precious' }, immutable: true })).metadata
    .uid
}

for (const isMarked of [true, false]) {
  const title = isMarked ? 'with the labels of the release' : 'that takeOwnership takes'
  void t.test(`an object ${title}, and that an installation cannot change, stays`, async (t) => {
    const { test, reach, pass } = await startForced(t, { takeOwnership: !isMarked })
    const uid = await makeImmutable(test, isMarked)
    await create(test, { more: ['a', 'b'], text: 'one' }, forced)
    await reach(failed)
    const live = await find(test, configMaps, 'hello-b')
    t.strictSame([live?.metadata.uid, live?.data], [uid, { text: 'precious' }])
    t.match(await conditionOf(test, 'ReleaseFailed'), {
      message:
        /ConfigMap default\/hello-b .*this release did not make it, so it is not replaced: delete it, or rename/,
    })
    await test.client.delete(configMaps, { namespace: 'default', name: 'hello-b' })
    await pass(60_000)
    await reach(deployed)
  })
}

void t.test('one that an upgrade cannot change stays, also when the upgrade is tried again', async (t) => {
  const { test, reach, pass } = await startForced(t)
  await create(test, { more: ['a'], text: 'one' }, forced)
  await reach(deployed)
  const uid = await makeImmutable(test, true)
  await edit(test, { spec: { more: ['a', 'b'], text: 'two' } })
  await reach(deployed, failed)
  await pass(60_000)
  t.equal((await find(test, configMaps, 'hello-b'))?.metadata.uid, uid)
  t.strictSame(await eventsOf(test, 'Replaced'), [
    'ConfigMap default/hello-a was deleted, to be made again with other fields',
  ])
})

void t.test('an object that an earlier attempt of the release made is replaced', async (t) => {
  const { test, reach } = await startForced(t)
  const uid = await makeImmutable(test, true)
  await create(test, { more: ['a', 'b'], text: 'one' }, forced)
  await reach(failed)
  const first = (await find(test, configMaps, 'hello-a'))?.metadata.uid
  await edit(test, { spec: { text: 'two' } })
  await reach(failed, failed)
  t.not((await find(test, configMaps, 'hello-a'))?.metadata.uid, first)
  t.equal((await find(test, configMaps, 'hello-b'))?.metadata.uid, uid)
})

void t.test('rollback-force leaves one that the deployed revision lacks', async (t) => {
  const { test, reach } = await startForced(t)
  const rollbackForce = { [annotationNames.rollbackForce]: 'true' }
  await create(test, { more: ['a', 'b'], text: 'one' }, rollbackForce)
  await reach(deployed)
  await edit(test, { spec: { more: ['a'] } })
  await reach(superseded, deployed)
  const uid = await makeImmutable(test, true)
  await edit(test, { metadata: { annotations: { [annotationNames.rollbackTo]: '1' } } })
  await reach(superseded, deployed, failed)
  t.equal((await find(test, configMaps, 'hello-b'))?.metadata.uid, uid)
})
