/** Releases whose objects other controllers of the cluster change and delete. Parts of real-faults.test.ts. */
import type { Test } from 'tap'
import { configMaps, pods } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { functionChart } from '../../sdk/helm/chart/function-chart.js'
import { loadChart } from '../../sdk/helm/chart/load-chart.js'
import { configMap } from '../../sdk/helm/reconciler/greetings.fixture.js'
import type { HelmControllerOptions } from '../../sdk/helm/reconciler/options/options.js'
import { until } from '../until.js'
import type { RealControlPlane } from './real-control-plane.js'
import { releasedKind } from './real-kinds.js'

const meshed = releasedKind('Meshed')
const migrated = releasedKind('Migrated')
const at = (name: string) => ({ namespace: 'default', name })
const jobs: Resource = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true }
type Webhooks = KubeObject & { webhooks?: { failurePolicy?: string }[] }
const validating: Resource<Webhooks> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  namespaced: false,
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
}

const migration = functionChart({ name: 'migrated', version: '1.0.0' }, ({ text, ttl }, { name }) => [
  configMap(name, { text: String(text) }),
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      backoffLimit: 0,
      ttlSecondsAfterFinished: Number(ttl),
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a.invalid/a' }] } },
    },
  } as KubeObject,
])

/** The definitions of the kinds. */
export const driftDefinitions = [meshed, migrated].map(({ definition }) => definition)

/** The reconcilers of the kinds. */
export const driftReconcilers = async (): Promise<readonly HelmControllerOptions[]> => [
  { resource: meshed.kind, chart: await loadChart(`${process.env.REAL_CHARTS}/istiod.tgz`) },
  { resource: migrated.kind, chart: migration },
]

/** A Job with a time to live runs once, and a deployed release does not create it again. */
export async function leavesFinishedJob(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = at('migrated')
  await client.create(migrated.kind, { metadata: key, spec: { text: 'one', ttl: 2 } })
  await plane.reach('1 deployed', key)
  const labelSelector = 'batch.kubernetes.io/job-name=migrated'
  const isPending = async () =>
    (await client.list(pods, { namespace: 'default', labelSelector })).items.find(
      ({ status }) => status?.phase === 'Pending',
    )
  await until(async () => (await isPending()) !== undefined)
  const { metadata } = (await isPending()) as KubeObject
  // As a kubelet does it; there is none.
  const body = { status: { phase: 'Succeeded' } }
  await client.patch(pods, at(metadata.name ?? ''), { type: 'merge', subresource: 'status', body })
  await until(async () => (await plane.get(jobs, 'default', 'migrated')) === undefined)
  await client.delete(configMaps, key)
  await until(async () => (await plane.get(configMaps, 'default', 'migrated')) !== undefined)
  t.equal(await plane.get(jobs, 'default', 'migrated'), undefined, 'a run that repairs does not create it')
  t.strictSame(
    (await plane.told('DriftCorrected')).filter((message) => message.includes('Job')),
    [],
  )
  t.match(await plane.condition(migrated.kind, 'migrated', 'Ready'), { status: 'True' })

  await client.patch(migrated.kind, key, { type: 'merge', body: { spec: { ttl: 3600 } } })
  await plane.reach('2 deployed', key)
  await client.delete(jobs, key, { propagationPolicy: 'Background' })
  await until(async () => (await plane.get(jobs, 'default', 'migrated')) !== undefined)
  t.pass('a Job that somebody deletes while it runs is created again')
}

const validator = { namespace: '', name: 'istio-validator-default' }

/** istiod sets the failure policy of its webhook, which its chart sets, too. */
export async function dampsIstiod(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const stop = new AbortController()
  t.teardown(() => stop.abort())
  await client.create(meshed.kind, {
    metadata: at('istiod'),
    spec: { global: { istioNamespace: 'default' } },
  })
  await plane.reach('1 deployed', at('istiod'))
  let writes = 0
  /** As istiod does it as soon as it runs. */
  const set = async () => {
    const live = await client.get(validating, validator)
    if (live.webhooks?.[0]?.failurePolicy === 'Fail') return
    const webhooks = live.webhooks?.map((one) => ({ ...one, failurePolicy: 'Fail' }))
    await client.update(validating, { ...live, ...(webhooks && { webhooks }) }).then(
      () => writes++,
      () => undefined,
    )
  }
  const istiod = (async () => {
    while (!stop.signal.aborted) await set()
  })()
  await until(async () => (await plane.told('FieldContested')).length > 0)
  const [told = ''] = await plane.told('FieldContested')
  t.match(
    told,
    'ValidatingWebhookConfiguration istio-validator-default: webhooks[0].failurePolicy is set back by',
  )
  t.match(
    told,
    `{ kind: 'ValidatingWebhookConfiguration.admissionregistration.k8s.io', name: 'istio-validator-default', paths: ['webhooks[0].failurePolicy'] }`,
  )
  const before = writes
  t.ok(before <= 7, `${before} corrections`)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  t.equal(writes, before, 'none for some time')
  t.match(await plane.condition(meshed.kind, 'istiod', 'Irreconcilable'), { reason: 'FieldContested' })
  stop.abort()
  await istiod
  await client.delete(meshed.kind, at('istiod'))
  await until(async () => (await plane.get(meshed.kind, 'default', 'istiod')) === undefined)
}
