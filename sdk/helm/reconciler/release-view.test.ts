import t from 'tap'
import { setWorkloadReady } from '../../../testing/operator/set-ready.js'
import { configMaps, secrets } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { servedOperator } from '../../operator/inspected-operator.fixture.js'
import { functionChart } from '../chart/function-chart.js'
import { ReleaseStore } from '../release/release-store.js'
import { chart, configMap, definition, greetings, key, kind } from './greetings.fixture.js'
import { helmController } from './helm-controller.js'
import { deployedRelease } from './release-view.js'

void t.test('the inspector shows the release of an object, its revisions and its drift', async (t) => {
  const options = { resource: kind, chart, driftDetection: 'report', reconcilePeriodMs: 0 } as const
  const { client, settled, overview, pairs, why } = await servedOperator(
    t,
    (operator) => operator.register(helmController(options)),
    [definition],
  )
  const spec = { text: 'first', more: ['a'] }
  await client.create(greetings, { metadata: key, spec })
  await settled()
  t.match((await overview()).controllers, [{ name: 'greetings', hasReleases: true }])
  t.match((await pairs()).pairs, [
    { name: 'hello', release: { name: 'hello', namespace: 'default', revision: 1, chart: 'greeter-1.0.0' } },
  ])
  const [installed] = await why('kind=greeting&name=hello')
  t.match(installed?.releaseDetails, {
    name: 'hello',
    namespace: 'default',
    isOwn: true,
    stage: null,
    latest: { revision: 1, status: 'deployed', chart: 'greeter-1.0.0', appVersion: '2.0' },
    objects: ['ConfigMap default/hello', 'ConfigMap default/hello-a'],
  })
  t.strictSame(installed?.releaseDetails?.drift, [])
  t.equal(installed?.releaseDetails?.cluster, installed?.cluster)

  await client.patch(greetings, key, { type: 'merge', body: { spec: { text: 'second' } } })
  await settled()
  await client.patch(configMaps, key, { type: 'merge', body: { data: { text: 'by hand' } } })
  await client.delete(configMaps, { ...key, name: 'hello-a' })
  await settled()
  const [drifted] = await why('kind=greeting&name=hello')
  t.match(drifted?.releaseDetails, {
    latest: { revision: 2 },
    revisions: [
      { revision: 1, status: 'superseded', changes: null },
      {
        revision: 2,
        status: 'deployed',
        changes: [{ object: /^ConfigMap (default\/)?hello$/, what: 'changed', fields: ['data.text'] }],
      },
    ],
    drift: [
      { object: 'ConfigMap default/hello', fields: ['data.text'] },
      { object: 'ConfigMap default/hello-a', fields: [] },
    ],
  })
  t.match(drifted?.tree, [
    {
      name: 'Release hello',
      health: 'not ready',
      text: 'revision 2, deployed',
      owns: [
        { name: 'ConfigMap default/hello', health: 'not ready', text: 'differs at data.text' },
        { name: 'ConfigMap default/hello-a', health: 'not ready', text: 'is gone' },
      ],
    },
  ])
  t.equal((await client.get(configMaps, key)).data?.text, 'by hand', 'nothing was written')

  const annotations = { 'meta.helm.sh/release-name': 'other' }
  await client.patch(configMaps, key, { type: 'merge', body: { metadata: { annotations } } })
  await settled()
  const [taken] = await why('kind=greeting&name=hello')
  t.match(
    taken?.releaseDetails?.drift?.find(({ object }) => object === 'ConfigMap default/hello'),
    { fields: ['metadata.labels', 'metadata.annotations'] },
    'the data of an object of another release are not compared',
  )
})

void t.test('the inspector names the objects of a release that are not ready', async (t) => {
  const web = functionChart({ name: 'web', version: '1.0.0' }, (_, { name }) => [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
      },
    } as KubeObject,
    configMap(name, {}),
  ])
  const { client, settled, why } = await servedOperator(
    t,
    (operator) => operator.register(helmController({ resource: kind, chart: web, reconcilePeriodMs: 0 })),
    [definition],
  )
  const notReady = async () => (await why('kind=greeting&name=hello'))[0]?.releaseDetails?.notReady
  await client.create(greetings, { metadata: key, spec: {} })
  await settled()
  t.strictSame(await notReady(), ['Deployment default/hello'])
  await setWorkloadReady(client, { metadata: key })
  await settled()
  t.strictSame(await notReady(), [])
})

void t.test('the inspector says why a release cannot be read', async (t) => {
  const { client, settled, why } = await servedOperator(
    t,
    (operator) => operator.register(helmController({ resource: kind, chart, reconcilePeriodMs: 0 })),
    [definition],
  )
  await client.create(greetings, { metadata: key, spec: {} })
  await settled()
  const name = 'sh.helm.release.v1.hello.v1'
  await client.patch(secrets, { ...key, name }, { type: 'merge', body: { data: { release: 'AAAA' } } })
  await settled()
  t.match(await why('kind=greeting&name=hello'), [
    {
      releaseDetails: null,
      releaseError: /the Secret default\/sh\.helm\.release\.v1\.hello\.v1 cannot be read/,
    },
  ])
})

void t.test('the inspector names the record whose objects cannot be read', async (t) => {
  const { client, settled, why } = await servedOperator(
    t,
    (operator) => operator.register(helmController({ resource: kind, chart, reconcilePeriodMs: 0 })),
    [definition],
  )
  await client.create(greetings, { metadata: key, spec: {} })
  await settled()
  const store = new ReleaseStore(client, Date.now)
  const [revision] = await store.revisions('default', 'hello')
  if (!revision) throw new Error('there is no release')
  await store.update({ ...revision, release: { ...revision.release, manifest: '---\na: [' } })
  await settled()
  const [read] = await why('kind=greeting&name=hello')
  t.match(read?.releaseError, /the Secret default\/sh\.helm\.release\.v1\.hello\.v1 cannot be read/)
})

void t.test('a release in a status is read only if it is one', (t) => {
  const of = (deployed: unknown) =>
    deployedRelease({ metadata: {}, status: { deployedRelease: deployed } } as never)
  t.equal(of(undefined), null)
  t.equal(of('x'), null)
  t.equal(of({ name: 'a', namespace: 'b', revision: '1', chart: 'c' }), null)
  const release = { name: 'a', namespace: 'b', revision: 1, chart: 'c' }
  t.strictSame(of({ ...release, resources: 2 }), release)
  t.end()
})
