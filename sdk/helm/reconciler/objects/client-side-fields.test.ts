// Tests that a field that leaves the chart goes, also if a program that has Helm as a library wrote it by client-side
// apply, under the name of its own binary.
import t, { type Test } from 'tap'
import { configMaps } from '../../../engine/kube/builtin.js'
import { functionChart } from '../../chart/function-chart.js'
import { ReleaseStore } from '../../release/release-store.js'
import { configMap, key } from '../greetings.fixture.js'
import type { HelmControllerOptions } from '../options/options.js'
import { conditionOf, create, edit, eventsOf, find, history, start } from '../reconciled.fixture.js'

const chart = functionChart({ name: 'data', version: '1.0.0' }, ({ data }, { name }) => [
  configMap(name, data as object),
])
const metadata = {
  ...key,
  labels: { 'app.kubernetes.io/managed-by': 'Helm' },
  annotations: { 'meta.helm.sh/release-name': 'hello', 'meta.helm.sh/release-namespace': 'default' },
}
const data = { text: 'one', left: 'later' }

interface Scenario extends Pick<HelmControllerOptions, 'formerFieldManagers'> {
  /** The metadata of the ConfigMap as the manager writes it. */
  readonly made?: object
}

/** A release of another program that has applied its object client-side as this manager; `stop` ends the operator. */
async function releaseOf(t: Test, manager: string, { made = metadata }: Scenario = {}) {
  const first = await start(t, { chart })
  await create(first, { data })
  await first.settled()
  await first.stop()
  const store = new ReleaseStore(first.client, Date.now)
  const [revision] = await store.revisions('default', 'hello')
  if (!revision) throw new Error('there is no release')
  const { apply_method: _, ...release } = revision.release
  await store.update({ ...revision, release, owner: undefined, written: undefined, ownerReferences: [] })
  await first.client.delete(configMaps, key)
  await first.client.create(configMaps, { metadata: made, data } as never, { fieldManager: manager })
  return first
}

const startNext = (t: Test, { server }: Awaited<ReturnType<typeof releaseOf>>, options: Scenario = {}) => {
  const { formerFieldManagers } = options
  return start(
    t,
    { chart, ...(formerFieldManagers && { formerFieldManagers }) },
    { servers: { main: server } },
  )
}

for (const manager of [
  'helm',
  'manager',
  'helm-operator',
  'helm-controller',
  'terraform-provider-helm_v2.17.0_x5',
]) {
  void t.test(`a field of a release of ${manager} goes after the release was taken over`, async (t) => {
    const test = await startNext(t, await releaseOf(t, manager))
    await test.settled()
    t.strictSame(await history(test), ['1 deployed'], 'no revision is written')
    t.match(await eventsOf(test, 'Adopted'), [/hello/])
    await edit(test, { spec: { data: { left: null } } })
    await test.settled()
    t.strictSame((await find(test, configMaps))?.data, { text: 'one' })
  })

  void t.test(`a field of a release of ${manager} goes with the upgrade that takes it over`, async (t) => {
    const first = await releaseOf(t, manager)
    await edit(first, { spec: { data: { left: null } } })
    const test = await startNext(t, first)
    await test.settled()
    t.strictSame(await history(test), ['1 superseded', '2 deployed'])
    t.strictSame((await find(test, configMaps))?.data, { text: 'one' })
  })
}

void t.test('formerFieldManagers names more programs', async (t) => {
  const options = { formerFieldManagers: ['my-operator'] }
  const first = await releaseOf(t, 'my-operator')
  await edit(first, { spec: { data: { left: null } } })
  const test = await startNext(t, first, options)
  await test.settled()
  t.strictSame((await find(test, configMaps))?.data, { text: 'one' })
})

void t.test('fields that other operators wrote into an object of the release stay theirs', async (t) => {
  const first = await releaseOf(t, 'helm')
  const annotations = { theirs: 'yes' }
  for (const [fieldManager, name] of [
    ['manager', 'theirs'],
    ['my-operator', 'more'],
  ] as const) {
    const body = { metadata: { annotations: { [name]: 'yes' } } }
    await first.client.patch(configMaps, key, { type: 'merge', body, fieldManager })
  }
  const test = await startNext(t, first)
  await edit(test, { spec: { data: { text: 'two' } } })
  await test.settled()
  const live = await find(test, configMaps)
  t.match(live, { data: { text: 'two' }, metadata: { annotations: { ...annotations, more: 'yes' } } })
  const managers = live?.metadata.managedFields?.map((entry) => (entry as { manager?: string }).manager)
  t.strictSame(managers?.sort(), ['helm', 'manager', 'my-operator'])
})

for (const [name, made] of [
  ['no release', { ...key }],
  [
    'another release',
    { ...metadata, annotations: { ...metadata.annotations, 'meta.helm.sh/release-name': 'other' } },
  ],
] as const)
  void t.test(`an object of ${name} keeps its managers, whatever a record says`, async (t) => {
    const first = await releaseOf(t, 'helm', { made })
    const before = await find(first, configMaps)
    const test = await startNext(t, first)
    await test.settled()
    t.match(await conditionOf(test, 'Irreconcilable'), { status: 'True', reason: 'NotOurs' })
    t.strictSame(await find(test, configMaps), before)
  })
