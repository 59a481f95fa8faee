// An operator whose Modules have Helm releases, for tests. Charts come from archives in ConfigMaps, and are rendered by
// code.

import type { Client } from '../../engine/client/client.js'
import { configMaps, deployments } from '../../engine/kube/builtin.js'
import { cronJobs, horizontalPodAutoscalers, statefulSets } from '../../engine/kube/builtin-workloads.js'
import { isNotFound } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { Transport } from '../../engine/transport/transport.js'
import { functionChart } from '../../helm/chart/function-chart.js'
import { packChart } from '../../helm/chart/pack-chart.js'
import { ownedRelease } from '../../helm/operations/owned-release.fixture.js'
import { ReleaseStore } from '../../helm/release/release-store.js'
import { renderFunctionChart } from '../../helm/render/code/render-function-chart.js'
import type { ChartRenderer } from '../../helm/render/renderer.js'
import '../../engine/kube/go-yaml/yaml-to-json.js' // Loaded at once: virtual time does not wait for it.
import type { Module } from '../kinds/module.js'
import { moduleOf, shop } from '../module/modules.fixture.js'
import type { HelmModulesOptions } from './helm-modules-options.js'

const template = (name: string) => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name: 'web', image: 'nginx' }], restartPolicy: 'Always' },
})
const object = (apiVersion: string, kind: string, name: string, rest: object): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name },
  ...rest,
})
const selecting = (name: string) => ({ selector: { matchLabels: { app: name } }, template: template(name) })
/** A ConfigMap that stays when the release is uninstalled. */
const keptConfigMap = (name: string) =>
  object('v1', 'ConfigMap', name, {
    metadata: { name, annotations: { 'helm.sh/resource-policy': 'keep' } },
  })
const statefulSet = (name: string) =>
  object('apps/v1', 'StatefulSet', name, {
    spec: {
      replicas: 2,
      serviceName: name,
      ...selecting(name),
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  })
const cronJob = (name: string) =>
  object('batch/v1', 'CronJob', name, {
    spec: {
      schedule: '0 * * * *',
      jobTemplate: {
        spec: {
          template: { ...template(name), spec: { ...template(name).spec, restartPolicy: 'Never' } },
        },
      },
    },
  })

/** The objects of the chart of the tests. */
export const web = functionChart(
  { name: 'web', version: '1.2.0', values: { replicas: 3, text: 'hi', password: 'secret' } },
  ({ replicas, text, password, only, replicaSets = [], kept }, { name }) => {
    const all = [
      object('v1', 'ConfigMap', name, { data: { text: String(text) } }),
      object('v1', 'Secret', name, { stringData: { password: String(password) } }),
      object('apps/v1', 'Deployment', name, { spec: { replicas, ...selecting(name) } }),
      ...(replicaSets as string[]).map((one) =>
        object('apps/v1', 'ReplicaSet', one, { spec: { replicas: 2, ...selecting(one) } }),
      ),
      ...(kept ? [keptConfigMap(String(kept))] : []),
      statefulSet(name),
      cronJob(name),
      object('autoscaling/v2', 'HorizontalPodAutoscaler', name, {
        spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name }, maxReplicas: 5 },
      }),
    ]
    return only ? all.filter(({ kind = '' }) => (only as string[]).includes(kind)) : all
  },
)

/** Renders the chart by its code. */
export const codeRenderer: ChartRenderer = {
  name: 'code',
  render: (request) => renderFunctionChart(web, request),
  close: async () => {},
}

/** The options of the tests. */
export const helm: HelmModulesOptions = { renderer: codeRenderer, wait: 'none' }

/** The archive of the chart. */
export const webArchive = (): Promise<Buffer> =>
  packChart('web', [
    { name: 'Chart.yaml', data: Buffer.from('apiVersion: v2\nname: web\nversion: 1.2.0\n') },
    { name: 'templates/all.yaml', data: Buffer.from('# rendered by code\n') },
  ])

/** Creates the ConfigMap with the chart. */
export async function createChart(client: Client, name = 'web-chart'): Promise<void> {
  const binaryData = { 'chart.tgz': (await webArchive()).toString('base64') }
  await client.create(configMaps, { metadata: { namespace: 'default', name }, binaryData })
}

/** A Module with a release of the chart. */
export const helmModule = (spec: object = {}, more: Partial<Module['spec']> = {}, name = shop.name): Module =>
  moduleOf(
    {
      source: undefined,
      helm: { chart: { configMap: { name: 'web-chart' } }, releaseName: 'web', ...spec },
      ...more,
    },
    { name },
  )

/** An object of the release. */
export const find = <T extends KubeObject>(client: Client, resource: Resource<T>, name = 'web') =>
  client.get(resource, { namespace: 'default', name }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    return undefined
  })

/** The revisions of the release, as `1 deployed`. */
export const historyOf = async (client: Client, name = 'web'): Promise<string[]> =>
  (await new ReleaseStore(client, Date.now).revisions('default', name)).map(
    ({ release }) => `${release.version} ${release.info.status}`,
  )

/** How awake the workloads of the release are. */
export async function workloadsOf(client: Client): Promise<Record<string, unknown>> {
  const [deployment, set, job, autoscaler] = await Promise.all([
    find(client, deployments),
    find(client, statefulSets),
    find(client, cronJobs),
    find(client, horizontalPodAutoscalers),
  ])
  return {
    deployment: deployment?.spec?.replicas,
    set: set?.spec?.replicas,
    suspended: job?.spec?.suspend,
    autoscaler: autoscaler?.spec?.minReplicas,
  }
}

/** Installs the release `web` as helm does: it belongs to no object. */
export async function installForeign(
  client: Client,
  transport: Transport,
  namespace = 'default',
): Promise<void> {
  const owner = { cluster: 'elsewhere', resource: configMaps as Resource, key: { namespace, name: 'x' } }
  const owned = ownedRelease(transport, {
    owner: { ...owner, uid: 'helm' },
    release: { namespace, name: 'web' },
  })
  await owned.install({ chart: web, values: { text: 'theirs' }, renderer: codeRenderer })
  const store = new ReleaseStore(client, Date.now)
  for (const revision of await store.revisions(namespace, 'web'))
    await store.update({ ...revision, owner: undefined, written: undefined, ownerReferences: [] })
}
