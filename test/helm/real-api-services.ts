/** Releases next to an aggregated API whose backend does not run. Parts of real-faults.test.ts. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { issueCertificate } from '../../sdk/engine/certificate/serving-certificate.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { configMaps, services } from '../../sdk/engine/kube/builtin.js'
import { ApiError } from '../../sdk/engine/kube/error.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { functionChart } from '../../sdk/helm/chart/function-chart.js'
import { loadChart } from '../../sdk/helm/chart/load-chart.js'
import { configMap } from '../../sdk/helm/reconciler/greetings.fixture.js'
import type { HelmControllerOptions } from '../../sdk/helm/reconciler/options/options.js'
import { until } from '../until.js'
import type { RealControlPlane } from './real-control-plane.js'
import { releasedKind } from './real-kinds.js'

const apiServices: Resource = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  namespaced: false,
}
const plain = releasedKind('Plain')
const needing = releasedKind('Needing')
const serving = releasedKind('Serving')
const metrics = releasedKind('Metrics')
const adapter = releasedKind('Adapter')
const hanging = releasedKind('Hanging')
const at = (name: string) => ({ namespace: 'default', name })

/** An APIService as metrics-server and prometheus-adapter have it; no Pod of the Service runs. */
const apiService = (group: string): KubeObject =>
  ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `v1beta1.${group}` },
    spec: {
      group,
      version: 'v1beta1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service: { name: 'absent', namespace: 'default' },
    },
  }) as KubeObject

const plainChart = functionChart({ name: 'plain', version: '1.0.0' }, ({ text }, { name }) => [
  configMap(name, { text: String(text) }),
])
const needingChart = functionChart({ name: 'needing', version: '1.0.0' }, (_, { name }) => [
  configMap(name, {}),
  { apiVersion: 'needed.example.org/v1beta1', kind: 'Metric', metadata: { name } },
])
const hangingGroup = 'hanging.example.org'
const hangingChart = functionChart({ name: 'hanging', version: '1.0.0' }, (_, { name }) => [
  configMap(name, {}),
  { apiVersion: `${hangingGroup}/v1beta1`, kind: 'Hang', metadata: { name } },
])
const servingChart = functionChart({ name: 'serving', version: '1.0.0' }, (_, { name }) => [
  configMap(name, {}),
  apiService('served.example.org'),
])

/** The reconcilers of the kinds. */
export const apiReconcilers: readonly HelmControllerOptions[] = [
  { resource: plain.kind, chart: plainChart },
  { resource: needing.kind, chart: needingChart },
  { resource: hanging.kind, chart: hangingChart },
  { resource: serving.kind, chart: servingChart },
]

/** The definitions of the kinds. */
export const apiDefinitions = [plain, needing, serving, metrics, adapter, hanging].map(
  ({ definition }) => definition,
)

/** The answer of the API server about the kinds of a group. */
const answerAbout = (client: Client, group: string): Promise<number> =>
  client
    .list({ group, version: 'v1beta1', kind: 'Metric', plural: 'metrics', namespaced: true })
    .then(() => 200)
    .catch((error: unknown) => (error instanceof ApiError ? error.code : 0))

/** Makes an API that nothing serves. */
export async function breakApi(client: Client): Promise<void> {
  await client.create(apiServices, apiService('needed.example.org'))
  await until(async () => (await answerAbout(client, 'needed.example.org')) === 503)
}

/** Public charts with an APIService; no Pod runs here, so nothing serves their APIs. */
const charts = process.env.REAL_CHARTS ?? ''
export const missingCharts =
  charts === '' &&
  'REAL_CHARTS is not set: let it name a folder with metrics-server.tgz and prometheus-adapter.tgz'

/** The reconcilers of the charts. */
export const chartReconcilers = async (): Promise<readonly HelmControllerOptions[]> => [
  { resource: metrics.kind, chart: await loadChart(`${charts}/metrics-server.tgz`) },
  { resource: adapter.kind, chart: await loadChart(`${charts}/prometheus-adapter.tgz`) },
]

/** Installs the charts, whose APIs are listed and do not answer then. */
export async function installCharts(plane: RealControlPlane): Promise<void> {
  await plane.client.create(metrics.kind, { metadata: at('metrics'), spec: {} })
  await plane.client.create(adapter.kind, { metadata: at('adapter'), spec: {} })
  for (const name of ['metrics', 'adapter']) await plane.reach('1 deployed', at(name))
  for (const group of ['metrics.k8s.io', 'custom.metrics.k8s.io'])
    await until(async () => (await answerAbout(plane.client, group)) === 503)
}

/** Uninstalls the charts while their APIs do not answer. */
export async function uninstallsCharts(t: Test, plane: RealControlPlane): Promise<void> {
  for (const [{ kind }, name] of [
    [metrics, 'metrics'],
    [adapter, 'adapter'],
  ] as const) {
    await plane.client.delete(kind, at(name))
    await until(async () => (await plane.get(kind, 'default', name)) === undefined)
  }
  const { items } = await plane.client.list(apiServices)
  t.strictSame(
    items.map(({ metadata }) => metadata.name).filter((name) => name?.endsWith('metrics.k8s.io')),
    [],
  )
}

/** Installs, upgrades, repairs and deletes a release. */
export async function deploysWithoutApi(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = at('plain')
  await client.create(plain.kind, { metadata: key, spec: { text: 'one' } })
  await plane.reach('1 deployed', key)
  await client.patch(plain.kind, key, { type: 'merge', body: { spec: { text: 'two' } } })
  await plane.reach('2 deployed', key)
  await client.delete(configMaps, key)
  await until(async () => (await plane.get(configMaps, 'default', 'plain'))?.data?.text === 'two')
  await client.delete(plain.kind, key)
  await until(async () => (await plane.get(plain.kind, 'default', 'plain')) === undefined)
  t.equal(await plane.get(configMaps, 'default', 'plain'), undefined)
}

/** A release with an object of the API. */
export async function reportsNeededApi(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = at('needing')
  await client.create(needing.kind, { metadata: key })
  const problem = () => plane.condition(needing.kind, 'needing', 'Irreconcilable')
  await until(async () => (await problem())?.reason === 'ApiUnavailable')
  t.match(
    (await problem())?.message,
    /^the API needed\.example\.org\/v1beta1 does not answer, .* APIService v1beta1\.needed\.example\.org/,
  )
  t.equal(await plane.get(configMaps, 'default', 'needing'), undefined, 'nothing is written')
  await client.delete(needing.kind, key)
  await until(async () => (await plane.get(needing.kind, 'default', 'needing')) === undefined)
}

/** A server of an API that says which kinds it has, and never answers any other request. */
async function startHangingApi(t: Test): Promise<number> {
  const pair = issueCertificate(
    { dnsNames: ['localhost'], addresses: ['127.0.0.1'] },
    { now: new Date(), lifeMs: 3_600_000 },
  )
  const resource = { name: 'hangs', kind: 'Hang', namespaced: true, verbs: ['get', 'list', 'patch'] }
  const kinds = { kind: 'APIResourceList', groupVersion: `${hangingGroup}/v1beta1`, resources: [resource] }
  const server = createServer({ cert: pair.certificate, key: pair.key }, ({ url = '' }, response) => {
    if (!url.startsWith(`/apis/${hangingGroup}/v1beta1?`) && url !== `/apis/${hangingGroup}/v1beta1`) return
    response.setHeader('content-type', 'application/json').end(JSON.stringify(kinds))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A release with an object of an API that hangs, and releases next to it. */
export async function survivesHangingApi(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const port = await startHangingApi(t)
  const name = 'hanging'
  await client.create(services, {
    metadata: at(name),
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
  })
  const hangingService = apiService(hangingGroup) as KubeObject & { spec: object }
  await client.create(apiServices, {
    ...hangingService,
    spec: { ...hangingService.spec, service: { ...at(name), port } },
  } as KubeObject)
  await until(async () => (await answerTo(client, `${hangingGroup}`)) === true)
  // More than there are workers.
  const names = ['one', 'two', 'three'].map((one) => `hang-${one}`)
  for (const one of names) await client.create(hanging.kind, { metadata: at(one) })
  const problems = () =>
    Promise.all(
      names.map(async (one) => (await plane.condition(hanging.kind, one, 'Irreconcilable'))?.message ?? ''),
    )
  const said =
    /^the API hanging\.example\.org\/v1beta1 does not answer, .* APIService v1beta1\.hanging\.example\.org/
  await until(async () => (await problems()).every((message) => said.test(message)))
  await client.create(plain.kind, { metadata: at('next-to-it'), spec: { text: 'one' } })
  await plane.reach('1 deployed', at('next-to-it'))
  await client.delete(apiServices, { namespace: '', name: `v1beta1.${hangingGroup}` })
  for (const one of names) await client.delete(hanging.kind, at(one))
  for (const one of names)
    await until(async () => (await plane.get(hanging.kind, 'default', one)) === undefined)
}

/** Whether the API server lists a kind of the group. */
const answerTo = (client: Client, group: string): Promise<boolean> =>
  client
    .get(apiServices, { namespace: '', name: `v1beta1.${group}` })
    .then(
      ({ status }: KubeObject & { status?: { conditions?: readonly { type: string; status: string }[] } }) =>
        (status?.conditions ?? []).some((one) => one.type === 'Available' && one.status === 'True'),
    )

/** Deletes a release that has the APIService. */
export async function deletesWithoutApi(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = at('serving')
  await client.create(serving.kind, { metadata: key })
  await plane.reach('1 deployed', key)
  await until(async () => (await answerAbout(client, 'served.example.org')) === 503)
  await client.delete(serving.kind, key)
  await until(async () => (await plane.get(serving.kind, 'default', 'serving')) === undefined)
  t.equal(await plane.get(apiServices, '', 'v1beta1.served.example.org'), undefined)
}
