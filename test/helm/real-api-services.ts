/** Releases next to an aggregated API whose backend does not run. Parts of real-faults.test.ts. */
import type { Test } from 'tap'
import type { Client } from '../../sdk/engine/client/client.js'
import { configMaps } from '../../sdk/engine/kube/builtin.js'
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

/** The kind of aggregated APIs. */
export const apiServices: Resource = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  namespaced: false,
}
/** The kind of a release that needs no other API. */
export const plain = releasedKind('Plain')
const needing = releasedKind('Needing')
const serving = releasedKind('Serving')
const metrics = releasedKind('Metrics')
const adapter = releasedKind('Adapter')
/** The kind of a release with an object of an API that hangs. */
export const hanging = releasedKind('Hanging')
/** The key of an object of these tests. */
export const at = (name: string) => ({ namespace: 'default', name })

/** An APIService as metrics-server and prometheus-adapter have it; no Pod of the Service runs. */
export const apiService = (group: string): KubeObject =>
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
/** The group of the API that hangs. */
export const hangingGroup = 'hanging.example.org'
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
export const answerAbout = (client: Client, group: string): Promise<number> =>
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
