import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { createClient } from '../../engine/client/create-client.js'
import { discoverKinds } from '../../engine/client/discover-kinds.js'
import { configMaps, type Deployment, deployments } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { clientCluster, moduleLabel } from './client-cluster.js'
import type { ModuleCluster } from './module-cluster.js'

const modules: Resource = {
  group: 'batch.forkspacer.com',
  version: 'v1',
  kind: 'Module',
  plural: 'modules',
  namespaced: true,
}
const clock = new VirtualClock()
const server = await createApiServer({ name: 'main' })
const transport = inProcessTransport(server)
const client = createClient({ transport })
t.teardown(() => server.close())

function clusterOf(uid: string, name = 'main'): ModuleCluster {
  const owner = { cluster: 'main', resource: modules, key: { namespace: 'default', name: 'shop' }, uid }
  const cluster = { name, served: (apiVersion: string) => discoverKinds(transport, apiVersion) }
  return clientCluster({ client, cluster, owner, fieldManager: 'test.modules', clock })
}

const web = (name: string, replicas = 3) =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name, image: 'nginx' }] },
      },
    },
  }) satisfies Deployment
const settings = (name: string, value = '1') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { value },
})
const inDefault = (name: string) => ({ namespace: 'default', name })
const replicasNow = async (name: string) => (await client.get(deployments, inDefault(name))).spec?.replicas

void t.test(
  'applied objects have the label of the Module and, in its namespace, an owner reference',
  async (t) => {
    const [live] = await clusterOf('u1').apply([settings('labelled')])
    t.equal(live?.metadata.labels?.[moduleLabel], 'u1')
    t.strictSame(
      live?.metadata.ownerReferences?.map(({ uid, kind }) => [uid, kind]),
      [['u1', 'Module']],
    )
    const [elsewhere] = await clusterOf('u1', 'other').apply([settings('elsewhere')])
    t.strictSame(elsewhere?.metadata.ownerReferences, undefined, 'not in another cluster')
  },
)

void t.test(
  'an object is applied again with another value, and a member that is left out goes',
  async (t) => {
    const cluster = clusterOf('u1')
    const [first] = await cluster.apply([
      { ...settings('again'), data: { value: '1', old: 'yes' } } as KubeObject,
    ])
    const [second] = await cluster.apply([settings('again', '2')])
    t.equal(second?.metadata.uid, first?.metadata.uid)
    t.strictSame((second as KubeObject & { data: unknown }).data, { value: '2' })
  },
)

void t.test('a foreign object is neither changed, nor scaled, nor deleted', async (t) => {
  await client.create(deployments, { ...web('foreign'), metadata: inDefault('foreign') })
  const cluster = clusterOf('u1')
  await t.rejects(
    cluster.apply([web('foreign', 1)]),
    /Deployment default\/foreign exists and does not belong to Module default\/shop/,
  )
  await t.rejects(cluster.scaleDown(web('foreign')), /does not belong/)
  await cluster.delete([web('foreign')])
  t.equal(await replicasNow('foreign'), 3)
})

void t.test(
  'objects are deleted in reverse order; those of an earlier Module of the name stay',
  async (t) => {
    const deleted: string[] = []
    const owner = { cluster: 'main', resource: modules, key: inDefault('shop'), uid: 'u2' }
    const observed = new Proxy(transport, {
      get: (target, name) =>
        name === 'request'
          ? (request: { method: string; path: string }) => {
              if (request.method === 'DELETE') deleted.push(request.path.replace(/.*\//, ''))
              return target.request(request as never)
            }
          : Reflect.get(target, name),
    })
    const cluster = clientCluster({
      client: createClient({ transport: observed }),
      cluster: { name: 'main', served: (apiVersion) => discoverKinds(transport, apiVersion) },
      owner,
      fieldManager: 'test.modules',
      clock,
    })
    await clusterOf('u1').apply([settings('former')])
    await cluster.apply([settings('first'), settings('second')])
    await cluster.delete([settings('first'), settings('former'), settings('absent'), settings('second')])
    t.strictSame(deleted, ['second', 'first'])
    t.ok(await client.get(configMaps, inDefault('former')))
  },
)

void t.test('scaling down twice answers the replicas from before the first time', async (t) => {
  const cluster = clusterOf('u1')
  await cluster.apply([web('sleeper')])
  t.strictSame(
    (await cluster.scaleDown(web('sleeper'))).map(({ name, replicas }) => [name, replicas]),
    [['sleeper', 3]],
  )
  t.equal(await replicasNow('sleeper'), 0)
  const after = await cluster.scaleDown([web('sleeper'), web('absent')])
  t.strictSame(
    after.map(({ replicas }) => replicas),
    [3],
    'also if the first answer was lost in a crash',
  )
  await cluster.scaleUp(JSON.parse(JSON.stringify(after)))
  const live = await client.get(deployments, inDefault('sleeper'))
  t.equal(live.spec?.replicas, 3)
  t.strictSame(live.metadata.annotations, undefined)
})

void t.test('a workload that had no replicas, and one that was scaled meanwhile, stay so', async (t) => {
  const cluster = clusterOf('u1')
  await cluster.apply([web('empty', 0), web('scaled', 2)])
  t.strictSame(
    (await cluster.scaleDown(web('empty'))).map(({ replicas }) => replicas),
    [0],
  )
  const known = [{ apiVersion: 'apps/v1', kind: 'Deployment', ...inDefault('empty'), replicas: 4 }]
  t.strictSame(
    (await cluster.scaleDown(web('empty'), { known })).map(({ replicas }) => replicas),
    [4],
  )
  await cluster.scaleUp([{ apiVersion: 'apps/v1', kind: 'Deployment', ...inDefault('scaled'), replicas: 5 }])
  t.equal(await replicasNow('scaled'), 2)
  await t.rejects(cluster.scaleUp('three'), { name: 'PermanentError', message: /got "three"/ })
})

void t.test('waiting ends when the objects are ready, at its time, or by the signal', async (t) => {
  const cluster = clusterOf('u1')
  await cluster.apply([web('slow', 1), settings('quick')])
  await cluster.wait(settings('quick'), { timeoutMs: 0 })
  for (const timeoutMs of ['5000', undefined, Number.NaN, -1, 86_400_001, 1e15])
    await t.rejects(cluster.wait(web('slow'), { timeoutMs: timeoutMs as number }), {
      name: 'TypeError',
      message: /^cluster\.wait: timeoutMs must be a number of milliseconds/,
    })
  const late = cluster.wait(web('slow'), { timeoutMs: 5_000 })
  const rejected = t.rejects(
    late,
    /Deployment default\/slow is not ready after 5 s; look at its status and Events, or raise timeoutMs/,
  )
  for (let second = 0; second < 7; second++) await clock.advance(1_000)
  await rejected
  const aborted = new AbortController()
  const stopped = t.rejects(cluster.wait(web('slow'), { timeoutMs: 5_000, signal: aborted.signal }), /enough/)
  for (let turn = 0; turn < 20; turn++) await clock.settle()
  aborted.abort(new Error('enough'))
  await stopped
  const { metadata } = await client.get(deployments, inDefault('slow'))
  const status = {
    observedGeneration: metadata.generation,
    replicas: 1,
    readyReplicas: 1,
    updatedReplicas: 1,
  }
  const body = { status }
  await client.patch(deployments, inDefault('slow'), { type: 'merge', subresource: 'status', body })
  await t.resolves(cluster.wait(web('slow'), { timeoutMs: 0 }))
})

void t.test('objects without a name and kinds that are not served are refused', async (t) => {
  const cluster = clusterOf('u1')
  await t.rejects(
    cluster.get({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '' } }),
    /ConfigMap lacks metadata.name/,
  )
  await t.rejects(
    cluster.list({ apiVersion: 'example.com/v1', kind: 'Car' }),
    /does not serve Car of example.com\/v1/,
  )
})
