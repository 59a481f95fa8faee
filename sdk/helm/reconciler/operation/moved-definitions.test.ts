// Tests that a CustomResourceDefinition stays that moves from the templates of a chart to `crds/` or to a hook: all
// objects of its kind would go with it. One that leaves the chart goes, as with helm.
import t, { type Test } from 'tap'
import type { TestOperatorOptions } from '../../../../testing/operator/test-operator.js'
import type { Client } from '../../../engine/client/client.js'
import { customResourceDefinitions } from '../../../engine/kube/builtin.js'
import { ApiError, isNotFound } from '../../../engine/kube/error.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Transport } from '../../../engine/transport/transport.js'
import { annotationNames } from '../../annotations/annotation-reader.js'
import { functionChart } from '../../chart/function-chart.js'
import { defaultRenderer } from '../../render/default-renderer.js'
import type { ChartRenderer } from '../../render/renderer.js'
import { configMap, definition, greetings, key } from '../greetings.fixture.js'
import { annotationsOf, job } from '../hooked.fixture.js'
import type { HelmControllerOptions } from '../options/options.js'
import { create, edit, find, history, start } from '../reconciled.fixture.js'

const name = 'things.example.com'
const things = {
  ...definition,
  metadata: { name },
  spec: { ...definition.spec, names: { kind: 'Thing', plural: 'things' } },
} as KubeObject
const hook = (events: string) => ({
  ...things,
  metadata: { name, annotations: annotationsOf({ events }) },
})

/** A chart with the definition in its templates, or as a hook of these events; or in `crds/`; or without it. */
const chart = functionChart({ name: 'things', version: '1.0.0' }, ({ place, slow }, { name }) => [
  configMap(name, { place: String(place) }),
  ...(slow ? [job('slow', { events: String(slow) })] : []),
  ...(place === 'templates' ? [things] : []),
  ...(String(place).includes('-') ? [hook(String(place))] : []),
])

async function startOperator(
  t: Test,
  options: Partial<HelmControllerOptions> = {},
  more: TestOperatorOptions = {},
) {
  const inner = await defaultRenderer([chart])
  const renderer: ChartRenderer = {
    name: 'test',
    close: async () => {},
    render: async (request, signal) => {
      const rendered = await inner.render(request, signal)
      const isInCrds = request.values.place === 'crds' && !request.skipCrds
      return { ...rendered, crds: isInCrds ? [{ source: 'things/crds/a.yaml', object: things }] : [] }
    },
  }
  return start(t, { chart, renderer, annotations: annotationNames, ...options }, more)
}

const uidOf = ({ client }: { client: Client }) =>
  client.get(customResourceDefinitions, { namespace: '', name }).then(
    ({ metadata }) => metadata.uid,
    (error: unknown) => {
      if (!isNotFound(error)) throw error
      return undefined
    },
  )

for (const { title, place } of [
  { title: 'a definition that moves from the templates to crds/ stays', place: 'crds' },
  { title: 'so does one that becomes a hook', place: 'pre-upgrade' },
  { title: 'so does one that becomes a later hook', place: 'post-upgrade' },
])
  void t.test(title, async (t) => {
    const test = await startOperator(t)
    await create(test, { place: 'templates' })
    await test.settled()
    const uid = await uidOf(test)
    t.ok(uid)
    await edit(test, { spec: { place } })
    await test.settled()
    t.strictSame(await history(test), ['1 superseded', '2 deployed'])
    t.equal(await uidOf(test), uid, 'after the upgrade')
    await test.client.delete(greetings, key)
    await test.settled()
    t.equal(await find(test, greetings), undefined)
    t.equal(await uidOf(test), uid, 'after the uninstallation')
  })

void t.test(
  'a definition that leaves the chart goes, and one of the templates with the release',
  async (t) => {
    const test = await startOperator(t)
    await create(test, { place: 'templates' })
    await test.settled()
    await edit(test, { spec: { place: 'nowhere' } })
    await test.settled()
    t.equal(await uidOf(test), undefined)
    await edit(test, { spec: { place: 'templates' } })
    await test.settled()
    t.ok(await uidOf(test))
    await test.client.delete(greetings, key)
    await test.settled()
    t.equal(await uidOf(test), undefined)
  },
)

void t.test('a rollback to a revision with the definition in crds/ keeps it', async (t) => {
  const test = await startOperator(t)
  await create(test, { place: 'templates' })
  await test.settled()
  const uid = await uidOf(test)
  for (const place of ['crds', 'templates']) {
    await edit(test, { spec: { place } })
    await test.settled()
  }
  await edit(test, { metadata: { annotations: { [annotationNames.rollbackTo]: '2' } } })
  await test.settled()
  t.strictSame((await history(test)).at(-1), '4 deployed')
  t.equal(await uidOf(test), uid)
})

/** Adds the owner reference that the definition has if the custom resource has no namespace. */
async function addReference({ client }: { client: Client }): Promise<void> {
  const { metadata } = await client.get(greetings, key)
  const owner = { apiVersion: 'example.com/v1', kind: 'Greeting', name: key.name, uid: metadata.uid ?? '' }
  const body = { metadata: { ownerReferences: [owner] } }
  await client.patch(customResourceDefinitions, { namespace: '', name }, { type: 'merge', body })
}
const referencesOf = async ({ client }: { client: Client }) =>
  (await client.get(customResourceDefinitions, { namespace: '', name })).metadata.ownerReferences ?? []

for (const { title, slow } of [
  { title: 'a deletion before the upgrade has moved the definition keeps it', slow: 'pre-upgrade' },
  { title: 'so does one before such an upgrade has ended', slow: 'post-upgrade' },
])
  void t.test(title, async (t) => {
    const test = await startOperator(t)
    await create(test, { place: 'templates' })
    await test.settled()
    const uid = await uidOf(test)
    await addReference(test)
    await edit(test, { spec: { place: 'crds', slow } })
    await test.settled()
    t.strictSame(await history(test), ['1 deployed', '2 pending-upgrade'])
    await test.client.delete(greetings, key)
    await test.settled()
    t.equal(await find(test, greetings), undefined)
    t.equal(await uidOf(test), uid)
    t.strictSame(await referencesOf(test), [], 'nor does it go with a cluster-wide custom resource')
  })

void t.test('a definition that leaves the templates stays if crds/ is not read', async (t) => {
  const test = await startOperator(t, { crds: 'skip' })
  await create(test, { place: 'templates' })
  await test.settled()
  const uid = await uidOf(test)
  t.ok(uid)
  await edit(test, { spec: { place: 'crds' } })
  await test.settled()
  t.strictSame(await history(test), ['1 superseded', '2 deployed'])
  t.equal(await uidOf(test), uid, 'after the upgrade')
  await test.client.delete(greetings, key)
  await test.settled()
  t.equal(await uidOf(test), uid, 'after the uninstallation')
})

void t.test(
  'the definition loses the reference by which it would go with a cluster-wide object',
  async (t) => {
    const test = await startOperator(t)
    await create(test, { place: 'templates' })
    await test.settled()
    await addReference(test)
    await edit(test, { spec: { place: 'crds' } })
    await test.settled()
    t.strictSame(await referencesOf(test), [])
  },
)

void t.test('a deletion ends although the operator may not read a former definition any more', async (t) => {
  let isNarrowed = false
  const wrap = (transport: Transport): Transport => ({
    close: () => transport.close(),
    request: (request) =>
      isNarrowed && request.path.includes('/customresourcedefinitions/')
        ? Promise.reject(new ApiError({ code: 403, reason: 'Forbidden', message: 'no' }))
        : transport.request(request),
    stream: (request) => transport.stream(request),
  })
  const test = await startOperator(t, {}, { wrap })
  await create(test, { place: 'templates' })
  await test.settled()
  await edit(test, { spec: { place: 'crds' } })
  await test.settled()
  isNarrowed = true
  await test.client.delete(greetings, key)
  await test.settled()
  t.equal(await find(test, greetings), undefined)
  t.ok(await uidOf(test), 'the definition stays')
})
