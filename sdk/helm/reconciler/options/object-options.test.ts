// Tests the options about the objects of a release.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { TestOperator } from '../../../../testing/index.js'
import { configMaps, namespaces } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { annotationNames } from '../../annotations/annotation-reader.js'
import { functionChart } from '../../chart/function-chart.js'
import { objectsOf } from '../../render/manifest.js'
import { configMap, greetings, key } from '../greetings.fixture.js'
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
} from '../reconciled.fixture.js'

void t.test('modifyObjects changes objects, but not which ones they are', async (t) => {
  const labelled = (object: KubeObject, team: string): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, labels: { team } },
  })
  let suffix = ''
  const test = await start(t, {
    modifyObjects: (objects, { resource }) =>
      objects.map((object) => {
        const made = labelled(object, String(resource.metadata.namespace))
        return { ...made, metadata: { ...made.metadata, name: `${object.metadata.name}${suffix}` } }
      }),
  })
  await create(test, { text: 'one' })
  await test.settled()
  t.match(await find(test, configMaps), { metadata: { labels: { team: 'default' } }, data: { text: 'one' } })
  await test.client.patch(configMaps, key, {
    type: 'merge',
    body: { metadata: { labels: { team: 'other' } } },
  })
  await test.settled()
  t.match(await find(test, configMaps), { metadata: { labels: { team: 'default' } } }, 'drift is put right')
  t.strictSame(await history(test), ['1 deployed'])
  suffix = '-renamed'
  await edit(test, { spec: { text: 'two' } })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    status: 'True',
    reason: 'RenderError',
    message: /hello-renamed/,
  })
})

void t.test('takeOwnership takes objects that belong to no release, and no others', async (t) => {
  const test = await start(t, { takeOwnership: true })
  const annotations = { 'meta.helm.sh/release-name': 'other', 'meta.helm.sh/release-namespace': 'default' }
  await test.client.create(configMaps, { metadata: key, data: { text: 'mine' } })
  await test.client.create(configMaps, { metadata: { ...key, name: 'hello-a', annotations } })
  await create(test, { text: 'one', more: ['a'] })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    reason: 'NotOurs',
    message: /^objects exist that do not belong to the release hello: ConfigMap default\/hello-a;/,
  })
  t.match(await find(test, configMaps), { data: { text: 'mine' } }, 'nothing was written')
  await edit(test, { spec: { more: [] } })
  await test.settled()
  t.match(await find(test, configMaps), { data: { text: 'one' } })
})

void t.test('an object whose release cannot be uninstalled loses its finalizer after a time', async (t) => {
  let attempts = 0
  const preUninstallHooks = [
    async () => {
      attempts++
      // After ten failures the next attempt would be a minute later.
      await sleep(600)
      throw new Error('the cluster is gone')
    },
  ]
  const test = await start(t, { preUninstallHooks, abandonAfterMs: 5_000 })
  await create(test, { text: 'one' })
  await test.settled()
  await test.client.delete(greetings, key)
  await until(async () => (await find(test, greetings)) === undefined)
  t.ok(attempts > 1, 'it was tried again first')
  t.match(await eventsOf(test, 'Abandoned'), [/the release hello in default is given up/])
})

void t.test(
  'with the annotation abandon, an object whose release cannot be uninstalled loses its finalizer',
  async (t) => {
    let ask = () => {}
    const asked = new Promise<void>((resolve) => {
      ask = resolve
    })
    let attempts = 0
    const preUninstallHooks = [
      async () => {
        attempts++
        // After ten failures the next attempt would be a minute later.
        if (attempts > 1) await asked
        throw new Error('the cluster is gone')
      },
    ]
    const options = { targetNamespace: 'kube-system', annotations: annotationNames }
    const test = await start(t, { preUninstallHooks, ...options })
    await create(test, { text: 'one' })
    await test.settled()
    await test.client.delete(greetings, key)
    await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.reason === 'HookError')
    await edit(test, { metadata: { annotations: { [annotationNames.abandon]: 'true' } } })
    ask()
    await until(async () => (await find(test, greetings)) === undefined)
    t.match(await eventsOf(test, 'Abandoned'), [
      /the release hello in kube-system is given up; some of its objects may remain/,
    ])
    t.ok(await test.client.get(configMaps, { ...key, namespace: 'kube-system' }), 'its object is left')
  },
)

void t.test('with the annotation abandon, a release that can be uninstalled is', async (t) => {
  const test = await start(t, { annotations: annotationNames })
  await create(test, { text: 'one' }, { [annotationNames.abandon]: 'true' })
  await test.settled()
  await test.client.delete(greetings, key)
  await test.settled()
  t.strictSame([await find(test, configMaps), await find(test, greetings)], [undefined, undefined])
  t.strictSame(await eventsOf(test, 'Abandoned'), [])
})

void t.test('an object that leaves the chart is deleted; one to be kept stays', async (t) => {
  const chart = functionChart({ name: 'leaving', version: '1.0.0' }, ({ few }, { name }) => [
    configMap(name, {}),
    ...(few ? [] : [configMap(`${name}-gone`, {})]),
    ...(few ? [] : [configMap(`${name}-kept`, {}, { 'helm.sh/resource-policy': 'keep' })]),
  ])
  const test = await start(t, { chart })
  await create(test)
  await test.settled()
  await edit(test, { spec: { few: true } })
  await test.settled()
  t.equal(await find(test, configMaps, 'hello-gone'), undefined)
  t.ok(await find(test, configMaps, 'hello-kept'))
  await test.client.delete(greetings, key)
  await test.settled()
  t.ok(await find(test, configMaps, 'hello-kept'), 'also when its release is gone')
})

void t.test('an object that a user asks to keep stays, too', async (t) => {
  const chart = functionChart({ name: 'leaving', version: '1.0.0' }, ({ few }, { name }) => [
    configMap(name, {}),
    ...(few ? [] : [configMap(`${name}-former`, {})]),
  ])
  const test = await start(t, { chart })
  await create(test)
  await test.settled()
  const metadata = { annotations: { 'helm.sh/resource-policy': 'keep' } }
  for (const name of ['hello', 'hello-former'])
    await test.client.patch(configMaps, { ...key, name }, { type: 'merge', body: { metadata } })
  await edit(test, { spec: { few: true } })
  await test.settled()
  t.strictSame((await find(test, configMaps, 'hello-former'))?.metadata.ownerReferences ?? [], [])
  await test.client.delete(greetings, key)
  await test.settled()
  t.equal(await find(test, greetings), undefined)
  t.ok(await find(test, configMaps, 'hello-former'), 'although it left the chart before')
  t.ok(await find(test, configMaps), 'although it was owned until the end')
})

void t.test('createNamespace creates the namespace of a release, which stays', async (t) => {
  const options = { targetNamespace: 'apps', createNamespace: true }
  const test = await start(t, options, { permissions: 'declared' })
  const at = { namespace: 'apps', name: 'hello' }
  await create(test, { text: 'one' })
  await test.settled()
  t.match(await test.client.get(configMaps, at), { data: { text: 'one' } })
  t.match(await test.client.get(namespaces, { namespace: '', name: 'apps' }), {
    metadata: { labels: { name: 'apps' } },
  })
  await test.client.delete(greetings, key)
  await test.settled()
  await t.rejects(test.client.get(configMaps, at), { code: 404 })
  t.ok(await test.client.get(namespaces, { namespace: '', name: 'apps' }))
})

void t.test('the status names a namespace that is absent', async (t) => {
  const test = await start(t, { targetNamespace: 'apps' })
  await create(test, { text: 'one' })
  await until(async () => (await conditionOf(test, 'Irreconcilable'))?.status === 'True')
  t.match(await conditionOf(test, 'Irreconcilable'), {
    reason: 'ReconcileError',
    message:
      'namespaces "apps" not found; create the namespace, or set the option createNamespace, so that the operator does',
  })
  await test.client.create(namespaces, { metadata: { name: 'apps' } })
  await until(async () => (await conditionOf(test, 'Deployed'))?.status === 'True')
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'False' })
})

void t.test('statusManifest shows the manifest without the values of Secrets', async (t) => {
  const withSecret = functionChart({ name: 'secret', version: '1.0.0' }, ({ text, size = 1 }, { name }) => [
    configMap(name, { text: String(text).repeat(Number(size)) }),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
      type: 'Opaque',
      data: { password: 'aHVudGVyMg==' },
      stringData: { token: 'hunter2' },
    } as KubeObject,
  ])
  const manifest = async (test: TestOperator) =>
    String((await statusOf(test))?.deployedRelease?.manifest ?? 'none')
  const test = await start(t, { chart: withSecret, statusManifest: true })
  await create(test, { text: 'one' })
  await test.settled()
  const told = await manifest(test)
  t.match(await objectsOf(told), [
    { object: { kind: 'Secret', type: 'Opaque', data: { password: '' }, stringData: { token: '' } } },
    { object: { kind: 'ConfigMap', data: { text: 'one' } } },
  ])
  t.notMatch(JSON.stringify(await find(test, greetings)), /hunter2|aHVudGVyMg/)
  await edit(test, { spec: { size: 100_000 } })
  await test.settled()
  t.match(await manifest(test), /^# 30\d{4} bytes are too large for the status/)
  const other = await start(t, { chart: withSecret })
  await create(other, { text: 'one' })
  await other.settled()
  t.equal(await manifest(other), 'none')
})
