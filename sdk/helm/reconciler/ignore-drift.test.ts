// Tests the fields that others decide once an object of a release is there.
import t from 'tap'
import { configMaps, deployments } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { functionChart } from '../chart/function-chart.js'
import { key, kind } from './greetings.fixture.js'
import { helmController } from './helm-controller.js'
import type { IgnoredDrift } from './objects/ignored-fields.js'
import { create, edit, eventsOf, find, history, start } from './reconciled.fixture.js'

const replicas: IgnoredDrift = { kind: 'Deployment.apps', paths: ['spec.replicas'] }

const web = functionChart(
  { name: 'web', version: '1.0.0', values: { replicas: 2, image: 'a' } },
  ({ replicas, image }, { name }) => [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        ...(replicas !== undefined && { replicas: Number(replicas) }),
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: { containers: [{ name: 'a', image: String(image) }] },
        },
      },
    } as KubeObject,
  ],
)

void t.test('an autoscaler decides the replicas, also when the rest is put right and upgraded', async (t) => {
  const test = await start(t, { chart: web, ignoreDrift: [replicas] })
  await create(test)
  await test.settled()
  const scaled = async () => {
    const found = await find(test, deployments)
    return [found?.spec?.replicas, found?.spec?.template?.spec?.containers[0]?.image]
  }
  const change = (spec: object) =>
    test.client.patch(deployments, key, {
      type: 'json',
      body: Object.entries(spec).map(([path, value]) => ({ op: 'replace', path, value })),
    })
  t.strictSame(await scaled(), [2, 'a'], 'the chart decides at first')
  await change({ '/spec/replicas': 5 })
  await test.settled()
  t.strictSame(await scaled(), [5, 'a'])
  t.strictSame(await eventsOf(test, 'DriftCorrected'), [])
  await change({ '/spec/template/spec/containers/0/image': 'edited' })
  await test.settled()
  t.strictSame(await scaled(), [5, 'a'], 'another field is put right, and the replicas stay')
  t.match(await eventsOf(test, 'DriftCorrected'), [
    /changed at spec\.template\.spec\.containers\[0\]\.image$/,
  ])
  await edit(test, { spec: { image: 'b' } })
  await test.settled()
  t.strictSame(await scaled(), [5, 'b'], 'an upgrade of something else leaves them')
  await edit(test, { spec: { replicas: 3 } })
  await test.settled()
  t.strictSame(await scaled(), [3, 'b'], 'an upgrade of the replicas sets them')
  t.strictSame((await history(test)).at(-1), '3 deployed')
  await test.client.delete(deployments, key)
  await test.settled()
  t.strictSame(await scaled(), [3, 'b'], 'a new object begins as the chart says')
})

void t.test('without it, the replicas of the chart are set again', async (t) => {
  const test = await start(t, { chart: web, ignoreDrift: [{ ...replicas, name: 'other' }] })
  await create(test)
  await test.settled()
  await test.client.patch(deployments, key, { type: 'merge', body: { spec: { replicas: 5 } } })
  await test.settled()
  t.equal((await find(test, deployments))?.spec?.replicas, 2)
})

void t.test('a chart that leaves the replicas out does not fight with an autoscaler', async (t) => {
  const test = await start(t, { chart: web })
  await create(test, { replicas: null })
  await test.settled()
  await test.client.patch(deployments, key, { type: 'merge', body: { spec: { replicas: 5 } } })
  await test.settled()
  t.equal((await find(test, deployments))?.spec?.replicas, 5)
  t.strictSame(await eventsOf(test, 'DriftCorrected'), [])
})

void t.test('a field that is removed stays removed', async (t) => {
  const annotated = functionChart({ name: 'web', version: '1.0.0' }, (_, { name }) => [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, annotations: { 'example.com/a': 'chart' } },
      data: { a: '1' },
    } as KubeObject,
  ])
  const paths = ['metadata.annotations.example\\.com/a', 'data.a']
  const test = await start(t, { chart: annotated, ignoreDrift: [{ kind: 'ConfigMap', paths }] })
  await create(test)
  await test.settled()
  const body = { metadata: { annotations: { 'example.com/a': null } }, data: { a: null } }
  await test.client.patch(configMaps, key, { type: 'merge', body })
  await test.settled()
  const found = await find(test, configMaps)
  t.notMatch(found?.metadata.annotations, { 'example.com/a': String })
  t.strictSame(found?.data ?? {}, {})
})

void t.test('paths that are wrong, or that say which object it is, are refused', (t) => {
  const refused = (path: string, message: RegExp) =>
    t.throws(
      () => helmController({ resource: kind, chart: web, ignoreDrift: [{ ...replicas, paths: [path] }] }),
      {
        code: 'INVALID_REGISTRATION',
        message,
      },
    )
  refused('spec..replicas', /ignoreDrift has the path "spec\.\.replicas"/)
  refused('spec.list[a]', /the index \[a\] is not a whole number/)
  for (const path of ['kind', 'metadata', 'metadata.name', 'metadata.labels', 'metadata.annotations'])
    refused(path, /objects of a release are found by it/)
  refused('metadata.annotations.meta\\.helm\\.sh/release-name', /objects of a release are found by it/)
  t.end()
})
