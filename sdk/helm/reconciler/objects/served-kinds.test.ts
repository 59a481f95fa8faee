// Tests what a cluster serves when some of its APIs do not answer.
import t from 'tap'
import { createApiServer } from '../../../../apiserver/api-server.js'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import { ApiError } from '../../../engine/kube/error.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { Transport } from '../../../engine/transport/transport.js'
import { functionChart } from '../../chart/function-chart.js'
import { configMap, key } from '../greetings.fixture.js'
import { ApiUnavailableError } from '../problem/api-unavailable.js'
import { conditionOf, create, edit, eventsOf, find, history, start, until } from '../reconciled.fixture.js'
import { ServedKinds } from './capabilities.js'

const resource = (apiVersion: string, kind: string): Resource => {
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, namespaced: true }
}
const unavailable = () => new ApiError({ code: 503, message: 'service unavailable' })

/** A cluster with three apiVersions, of which those in `broken` do not answer. */
function fakeCluster(broken: Map<string, Error>) {
  const kinds = new Map([
    ['v1', [resource('v1', 'ConfigMap')]],
    ['apps/v1', [resource('apps/v1', 'Deployment')]],
    ['metrics.k8s.io/v1beta1', [resource('metrics.k8s.io/v1beta1', 'PodMetrics')]],
  ])
  const asked: string[] = []
  const cluster = {
    version: async () => 'v1.36.0',
    apiVersions: async () => {
      asked.push('versions')
      return [...kinds.keys()]
    },
    served: async (apiVersion: string) => {
      asked.push(apiVersion)
      const error = broken.get(apiVersion)
      if (error) throw error
      return kinds.get(apiVersion) ?? []
    },
  }
  const clock = new VirtualClock()
  return { clock, kinds, asked, served: new ServedKinds(cluster, clock) }
}

void t.test('an API of another server that does not answer hides no other kind', async (t) => {
  const broken = new Map<string, Error>([['metrics.k8s.io/v1beta1', unavailable()]])
  const { served, clock } = fakeCluster(broken)
  const { apiVersions } = await served.capabilities()
  t.strictSame(apiVersions, ['v1', 'apps/v1', 'metrics.k8s.io/v1beta1', 'v1/ConfigMap', 'apps/v1/Deployment'])
  t.equal((await served.find('apps/v1', 'Deployment'))?.plural, 'deployments')
  const problem = await served.find('metrics.k8s.io/v1beta1', 'PodMetrics').catch((error: unknown) => error)
  t.type(problem, ApiUnavailableError)
  t.match(problem, {
    message:
      /^the API metrics\.k8s\.io\/v1beta1 does not answer, and the release needs PodMetrics of it; see the APIService v1beta1\.metrics\.k8s\.io /,
  })
  broken.clear()
  t.equal((await served.find('metrics.k8s.io/v1beta1', 'PodMetrics'))?.plural, 'podmetricss', 'at once')
  await clock.advance(60_000)
  t.ok((await served.capabilities()).apiVersions.includes('metrics.k8s.io/v1beta1/PodMetrics'))
})

void t.test('a kind is found in another version of its group, unless that does not answer', async (t) => {
  const broken = new Map<string, Error>()
  const { served } = fakeCluster(broken)
  const inAnyVersion = () => served.findInAnyVersion('metrics.k8s.io/v1alpha1', 'PodMetrics')
  t.match(await inAnyVersion(), { version: 'v1beta1', kind: 'PodMetrics' })
  t.equal(await served.find('metrics.k8s.io/v1alpha1', 'PodMetrics'), undefined)
  t.equal(await served.findInAnyVersion('metrics.k8s.io/v1alpha1', 'NodeMetrics'), undefined)
  broken.set('metrics.k8s.io/v1beta1', unavailable())
  await t.rejects(
    fakeCluster(broken).served.findInAnyVersion('metrics.k8s.io/v1alpha1', 'PodMetrics'),
    ApiUnavailableError,
  )
})

void t.test('the cluster is asked once a minute about a kind that is not served', async (t) => {
  const { served, clock, kinds, asked } = fakeCluster(new Map())
  const find = (kind: string) => served.findInAnyVersion('metrics.k8s.io/v1alpha1', kind)
  await served.capabilities()
  asked.length = 0
  for (let object = 0; object < 3; object++) {
    t.match(await find('PodMetrics'), { version: 'v1beta1' })
    t.equal(await find('NodeMetrics'), undefined)
  }
  const once = ['metrics.k8s.io/v1alpha1', 'metrics.k8s.io/v1alpha1', 'metrics.k8s.io/v1beta1']
  t.strictSame(asked, once, 'PodMetrics are known in another version')
  kinds.set('metrics.k8s.io/v1alpha1', [resource('metrics.k8s.io/v1alpha1', 'NodeMetrics')])
  t.ok(await served.find('metrics.k8s.io/v1alpha1', 'NodeMetrics'))
  t.match(await find('NodeMetrics'), { version: 'v1alpha1' }, 'one that was found meanwhile counts at once')
  kinds.delete('metrics.k8s.io/v1beta1')
  await clock.advance(60_000)
  t.equal(await find('PodMetrics'), undefined)
})

void t.test('one that stops answering keeps its kinds for templates until it is removed', async (t) => {
  const broken = new Map<string, Error>()
  const { served, clock, kinds } = fakeCluster(broken)
  const has = async () =>
    (await served.capabilities()).apiVersions.includes('metrics.k8s.io/v1beta1/PodMetrics')
  t.ok(await has())
  broken.set('metrics.k8s.io/v1beta1', unavailable())
  for (let minute = 0; minute < 3; minute++) {
    await clock.advance(60_000)
    t.ok(await has())
  }
  await t.rejects(served.find('metrics.k8s.io/v1beta1', 'PodMetrics'), ApiUnavailableError)
  kinds.delete('metrics.k8s.io/v1beta1')
  broken.clear()
  await clock.advance(60_000)
  t.notOk(await has())
  t.equal(await served.find('metrics.k8s.io/v1beta1', 'PodMetrics'), undefined)
})

void t.test('without an answer of Kubernetes itself, or about the caller, nothing is known', async (t) => {
  for (const [apiVersion, error] of [
    ['apps/v1', unavailable()],
    ['metrics.k8s.io/v1beta1', new ApiError({ code: 401 })],
    ['metrics.k8s.io/v1beta1', new Error('the connection was lost')],
  ] as const) {
    const { served } = fakeCluster(new Map([[apiVersion, error]]))
    await t.rejects(served.capabilities())
  }
})

/** A connection on which an API that the server lists answers 503. */
const withoutBackend =
  (isBroken: () => boolean) =>
  (transport: Transport): Transport => ({
    close: () => transport.close(),
    stream: (request) => transport.stream(request),
    request: async (request) => {
      if (!isBroken()) return transport.request(request)
      if (request.path.startsWith('/apis/metrics.example.org/')) {
        const body = new TextEncoder().encode('service unavailable')
        return { status: 503, headers: { 'content-type': 'text/plain' }, body }
      }
      const answer = await transport.request(request)
      if (request.path !== '/apis') return answer
      const list = JSON.parse(new TextDecoder().decode(answer.body))
      const groupVersion = 'metrics.example.org/v1beta1'
      list.groups.push({ name: 'metrics.example.org', versions: [{ groupVersion, version: 'v1beta1' }] })
      return { ...answer, body: new TextEncoder().encode(JSON.stringify(list)) }
    },
  })

const chart = functionChart({ name: 'measured', version: '1.0.0' }, ({ metric }, { name }) => [
  configMap(name, {}),
  ...(metric ? [{ apiVersion: 'metrics.example.org/v1beta1', kind: 'Metric', metadata: { name } }] : []),
])

void t.test('a release that needs an API says in its status that it does not answer', async (t) => {
  let isBroken = true
  const clock = new VirtualClock()
  const main = await createApiServer({ clock })
  const more = { clock, servers: { main }, wrap: withoutBackend(() => isBroken) }
  const test = await start(t, { chart }, more)
  await create(test, { metric: false })
  await test.settled()
  t.strictSame(await history(test), ['1 deployed'], 'one that does not is deployed')
  await edit(test, { spec: { metric: true } })
  await until(async () => (await conditionOf(test, 'Irreconcilable'))?.reason === 'ApiUnavailable')
  t.match(await conditionOf(test, 'Irreconcilable'), {
    message: /^the API metrics\.example\.org\/v1beta1 does not answer, and the release needs Metric of it; /,
  })
  t.strictSame(await history(test), ['1 deployed'], 'nothing is written')
  t.match(await eventsOf(test, 'ApiUnavailable'), [/needs Metric/])
  await edit(test, { spec: { metric: false } })
  await until(async () => (await conditionOf(test, 'Irreconcilable'))?.status === 'False')
  isBroken = false
  await edit(test, { spec: { metric: true } })
  await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.status === 'True')
  t.match(await conditionOf(test, 'ReleaseFailed'), { message: /does not serve Metric/ })
  t.ok(await find(test, configMaps, key.name))
})
