/**
 * Workloads that stop, and namespaces and kinds that are missing, on a real API server. Parts of real.test.ts, with one
 * control plane.
 */
import type { Test } from 'tap'
import {
  configMaps,
  customResourceDefinitions,
  deployments,
  namespaces,
  pods,
} from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { functionChart } from '../../sdk/helm/chart/function-chart.js'
import { chart, configMap, type Greeting } from '../../sdk/helm/reconciler/greetings.fixture.js'
import { helmController } from '../../sdk/helm/reconciler/helm-controller.js'
import type { HelmControllerOptions } from '../../sdk/helm/reconciler/options/options.js'
import { missingIn } from '../../sdk/helm/reconciler/problem/missing-dependency.js'
import type { Operator } from '../../sdk/operator/operator.js'
import { until } from '../until.js'
import type { RealControlPlane } from './real-control-plane.js'
import { releasedKind } from './real-kinds.js'

const served = releasedKind('Served')
const late = releasedKind('Late')
const typed = releasedKind('Typed')
/** A kind whose definition comes late. Its plural is not the one that Kubernetes would guess. */
const gateway = releasedKind('Gateway')
const at = (name: string) => ({ namespace: 'default', name })

const web = functionChart({ name: 'web', version: '1.0.0' }, (_, { name }) => [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'a', image: 'a.invalid/a' }] },
      },
    },
  } as KubeObject,
])
const gateways = functionChart({ name: 'gateways', version: '1.0.0' }, (_, { name }) => [
  configMap(name, {}),
  { apiVersion: 'example.com/v1', kind: 'Gateway', metadata: { name } },
])

/** None of them looks at a release without a reason. */
const reconcilers: readonly HelmControllerOptions[] = [
  { resource: served.kind, chart: web },
  { resource: late.kind, chart, targetNamespace: 'late' },
  { resource: typed.kind, chart: gateways },
]

/** The definitions of the kinds. */
export const readyDefinitions = [served, late, typed].map(({ definition }) => definition)

/** Registers the reconcilers of the kinds. */
export function registerReady(operator: Operator): void {
  for (const options of reconcilers) operator.register(helmController({ ...options, reconcilePeriodMs: 0 }))
}

async function remove(plane: RealControlPlane, kind: Resource<Greeting>, name: string): Promise<void> {
  await plane.client.delete(kind, at(name))
  await until(async () => (await plane.get(kind, 'default', name)) === undefined)
}

/** A release is ready while the Pods of its Deployment are, which a real Deployment controller counts. */
export async function followsPods(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = at('served')
  const ready = () => plane.condition(served.kind, 'served', 'Ready')
  const podNames = async () =>
    (await client.list(pods, { namespace: 'default', labelSelector: 'app=served' })).items.map(
      ({ metadata }) => metadata.name ?? '',
    )
  /** As a kubelet does it; there is none. */
  const run = async (name: string) => {
    const condition = { type: 'Ready', status: 'True', lastTransitionTime: new Date().toISOString() }
    const body = { status: { phase: 'Running', conditions: [condition] } }
    await client.patch(pods, at(name), { type: 'merge', subresource: 'status', body })
  }
  const runAll = async (isNew: (name: string) => boolean) => {
    await until(async () => (await podNames()).some(isNew))
    for (const name of (await podNames()).filter(isNew)) await run(name)
  }
  await client.create(served.kind, { metadata: key, spec: {} })
  await plane.reach('1 deployed', key)
  await until(async () => (await ready())?.status === 'False')
  t.match(await ready(), { reason: 'NotReady', message: 'Deployment default/served is not ready' })
  await runAll(() => true)
  await until(async () => (await ready())?.status === 'True')

  const before = (await client.get(served.kind, key)).metadata.resourceVersion
  const { generation } = (await client.get(deployments, key)).metadata
  const old = await podNames()
  await client.patch(deployments, key, {
    type: 'merge',
    subresource: 'status',
    body: { status: { collisionCount: 1 } },
  })
  await client.delete(pods, at(old[0] ?? ''))
  await until(async () => (await ready())?.status === 'False')
  const { items } = await client.list(served.kind, { namespace: 'default' })
  t.not(items[0]?.metadata.resourceVersion, before)
  await runAll((name) => !old.includes(name))
  await until(async () => (await ready())?.status === 'True')
  t.equal(
    (await client.get(deployments, key)).metadata.generation,
    generation,
    'the Deployment was not written',
  )
  t.strictSame(await plane.history('default', 'served'), ['1 deployed'])
  await remove(plane, served.kind, 'served')
}

/** A release waits for its namespace: a missing one, and one that is being deleted. */
export async function waitsForNamespace(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const held = { namespace: 'late', name: 'held' }
  const refusal = async () =>
    client.create(configMaps, { metadata: { namespace: 'late', name: 'other' } }).then(
      () => undefined,
      (error: unknown) => missingIn(error, undefined)?.what,
    )
  const problem = async () => (await plane.condition(late.kind, 'late', 'Irreconcilable'))?.message ?? ''
  t.equal(await refusal(), 'the namespace late', 'an answer about a missing namespace')
  await client.create(late.kind, { metadata: at('late'), spec: { text: 'one' } })
  await until(async () => /namespaces "late" not found/.test(await problem()))
  await client.create(namespaces, { metadata: { name: 'late' } })
  await plane.reach('1 deployed', { namespace: 'late', name: 'late' })

  await client.create(configMaps, { metadata: { ...held, finalizers: ['example.com/held'] } })
  await client.delete(namespaces, { namespace: '', name: 'late' })
  await until(async () => (await refusal()) !== undefined)
  t.equal(await refusal(), 'the namespace late', 'an answer about one that is being deleted')
  await until(async () => (await plane.get(configMaps, 'late', 'late')) === undefined)
  await until(async () => /being terminated/.test(await problem()))
  await client.patch(configMaps, held, { type: 'merge', body: { metadata: { finalizers: null } } })
  await until(async () => (await plane.get(namespaces, '', 'late')) === undefined)
  await client.create(namespaces, { metadata: { name: 'late' } })
  await plane.reach('1 deployed', { namespace: 'late', name: 'late' })
  await remove(plane, late.kind, 'late')
}

/** A release waits for the definition of a kind. */
export async function waitsForKind(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = at('typed')
  await client.create(typed.kind, { metadata: key, spec: {} })
  const failure = async () => (await plane.condition(typed.kind, 'typed', 'ReleaseFailed'))?.message ?? ''
  await until(async () => /does not serve Gateway of example.com/.test(await failure()))
  await client.create(customResourceDefinitions, gateway.definition)
  await plane.reach('1 deployed', key)
  t.ok(await plane.get(gateway.kind, 'default', 'typed'))
  await remove(plane, typed.kind, 'typed')
}

const group = 'rbac.authorization.k8s.io'
const cluster = (kind: string, plural: string): Resource => ({
  group,
  version: 'v1',
  kind,
  plural,
  namespaced: false,
})

/** A permission by name is enough to list and watch what one name selects. */
export async function permitsByName(t: Test, { client, clientAs }: RealControlPlane): Promise<void> {
  const metadata = { name: 'sees-late' }
  const rules = [
    { apiGroups: [''], resources: ['namespaces'], verbs: ['list', 'watch'], resourceNames: ['late'] },
  ]
  await client.create(cluster('ClusterRole', 'clusterroles'), { metadata, rules } as KubeObject)
  await client.create(cluster('ClusterRoleBinding', 'clusterrolebindings'), {
    metadata,
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'sees-late' },
    subjects: [{ apiGroup: group, kind: 'User', name: 'sees-late' }],
  } as KubeObject)
  const limited = clientAs('sees-late')
  const named = { fieldSelector: 'metadata.name=late' }
  await until(async () => Array.isArray((await limited.list(namespaces, named)).items))
  await t.rejects(limited.list(namespaces), { code: 403 })
  await t.rejects(limited.list(namespaces, { fieldSelector: 'metadata.name=default' }), { code: 403 })
}
