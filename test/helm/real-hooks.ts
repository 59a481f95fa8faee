/** Jobs as hooks, which a real Job controller ends. Parts of real-programs.test.ts, with one control plane. */
import type { Test } from 'tap'
import { configMaps, pods } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { functionChart } from '../../sdk/helm/chart/function-chart.js'
import { configMap } from '../../sdk/helm/reconciler/greetings.fixture.js'
import { helmController } from '../../sdk/helm/reconciler/helm-controller.js'
import type { Operator } from '../../sdk/operator/operator.js'
import { until } from '../until.js'
import type { RealControlPlane } from './real-control-plane.js'
import { releasedKind } from './real-kinds.js'

const hooking = releasedKind('Hooking')
const jobs: Resource = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true }
const key = { namespace: 'default', name: 'hooking' }

/** The definition of the kind. */
export const hookingDefinition = hooking.definition

/** Three Jobs whose order is that of weight, name and file, and a ConfigMap. */
const chart = functionChart({ name: 'hooking', version: '1.0.0' }, ({ text }, { name }) => [
  job('b', '2', 'hook-succeeded'),
  job('a', '2', 'before-hook-creation'),
  job('z', '-1', 'hook-failed'),
  configMap(name, { text: String(text) }),
])

const job = (name: string, weight: string, policy: string) =>
  ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      annotations: {
        'helm.sh/hook': 'pre-upgrade',
        'helm.sh/hook-weight': weight,
        'helm.sh/hook-delete-policy': policy,
      },
    },
    spec: {
      backoffLimit: 0,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a.invalid/a' }] } },
    },
  }) as KubeObject

/** Registers the reconciler of the kind. Its failed values are tried again when they change. */
export function registerHooking(operator: Operator): void {
  operator.register(helmController({ resource: hooking.kind, chart, reconcilePeriodMs: 0 }))
}

/** Jobs run one after the other; one that fails leaves the objects, and each goes by its policy. */
export async function runsJobs(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const named = async () =>
    (await client.list(jobs, { namespace: 'default' })).items.map(({ metadata }) => metadata.name ?? '')
  const podsOf = async (name: string) =>
    (await client.list(pods, { namespace: 'default', labelSelector: `batch.kubernetes.io/job-name=${name}` }))
      .items
  /** As a kubelet does it; there is none. Returns the UID of the Job. */
  const ends = async (name: string, phase: 'Succeeded' | 'Failed') => {
    const isRunning = ({ status }: KubeObject & { status?: { phase?: string } }) =>
      status?.phase === 'Pending'
    await until(async () => (await podsOf(name)).some(isRunning))
    for (const { metadata } of (await podsOf(name)).filter(isRunning))
      await client.patch(
        pods,
        { namespace: 'default', name: metadata.name ?? '' },
        { type: 'merge', subresource: 'status', body: { status: { phase } } },
      )
    return (await plane.get(jobs, 'default', name))?.metadata.uid
  }
  const text = async () => (await client.get(configMaps, key)).data?.text
  const edit = (to: string) =>
    client.patch(hooking.kind, key, { type: 'merge', body: { spec: { text: to } } })

  await client.create(hooking.kind, { metadata: key, spec: { text: 'one' } })
  await plane.reach('1 deployed', key)
  await edit('two')
  await until(async () => (await podsOf('z')).length > 0)
  t.strictSame(await named(), ['z'], 'the lowest weight alone')
  await ends('z', 'Failed')
  await plane.reach('3 deployed', key)
  t.equal(await text(), 'one', 'the objects are as before')
  await until(async () => (await named()).length === 0)
  t.match(await plane.told('UpgradeFailed'), [/the hook Job default\/z failed/])

  await edit('three')
  await ends('z', 'Succeeded')
  await until(async () => (await podsOf('a')).length > 0)
  t.strictSame(await named(), ['a', 'z'], 'then the name; hook-failed leaves one that succeeded')
  const first = await ends('a', 'Succeeded')
  await until(async () => (await podsOf('b')).length > 0)
  t.equal(await text(), 'one', 'the objects wait')
  await ends('b', 'Succeeded')
  await plane.reach('4 deployed', key)
  t.equal(await text(), 'three')
  await until(async () => !(await named()).includes('b'))
  t.strictSame(await named(), ['a', 'z'], 'hook-succeeded')

  await edit('four')
  await until(async () => (await podsOf('z')).some(({ status }) => status?.phase === 'Pending'))
  await ends('z', 'Succeeded')
  await until(async () => ![undefined, first].includes((await plane.get(jobs, 'default', 'a'))?.metadata.uid))
  await ends('a', 'Succeeded')
  await ends('b', 'Succeeded')
  await plane.reach('5 deployed', key)
  t.equal(await text(), 'four', 'before-hook-creation makes a Job of the same name again')
  await client.delete(hooking.kind, key)
  await until(async () => (await plane.get(hooking.kind, 'default', 'hooking')) === undefined)
  t.strictSame(await named(), ['a', 'z'], 'as with helm, hooks are not objects of the release')
}
