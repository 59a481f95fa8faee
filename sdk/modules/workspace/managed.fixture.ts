// Managed Workspaces on an embedded host: a chart that looks like vcluster's, and a vcluster that is played.
import type { ApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import type { Client } from '../../engine/client/client.js'
import { namespaces, persistentVolumeClaims, secrets } from '../../engine/kube/builtin.js'
import { statefulSets } from '../../engine/kube/builtin-workloads.js'
import { isAlreadyExists, isNotFound } from '../../engine/kube/error.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { functionChart } from '../../helm/chart/function-chart.js'
import type { Operator } from '../../operator/operator.js'
import type { Workspace } from '../kinds/workspace.js'
import { workspaces } from '../kinds/workspace-kind.js'
import type { ManagedWorkspacesOptions } from '../managed/managed-options.js'
import { placeOf } from '../managed/place.js'
import { KubeconfigClusters } from '../module/connection/kubeconfig-clusters.js'
import { moduleController } from '../module/module-controller.js'
import type { NotingProgram } from '../module/modules.fixture.js'
import { workspaceController } from './workspace-controller.js'

/** The chart in one version. */
export const vclusterChart = (version: string) =>
  functionChart({ name: 'vcluster', version, values: { replicas: 1 } }, (values, { name, namespace }) => {
    const labels = { app: 'vcluster', release: name }
    const config = Buffer.from(JSON.stringify(values)).toString('base64')
    const spec = statefulSetSpec(version, { name, labels, replicas: values.replicas })
    const metadata = { name, namespace, labels }
    return [
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { ...metadata, name: `vc-config-${name}` },
        data: { config },
      },
      { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels, ports: [{ port: 443 }] } },
      { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec },
    ] as unknown as KubeObject[]
  })

function statefulSetSpec(
  version: string,
  { name, labels, replicas }: { name: string; labels: Record<string, string>; replicas: unknown },
): object {
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: 'syncer', image: `vcluster:${version}` }] },
  }
  return {
    replicas,
    serviceName: `${name}-headless`,
    selector: { matchLabels: labels },
    template,
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '5Gi' } } },
      },
    ],
  }
}

/** Registers Modules whose vclusters are all one server, which is reached without sockets. */
export const registeringInside =
  (noting: NotingProgram, virtual: ApiServer) =>
  (operator: Operator): void => {
    const options = { managed, builtIn: { Noting: noting.program } }
    const kubeconfigs = new KubeconfigClusters({}, () => inProcessTransport(virtual))
    operator.register(workspaceController(options, kubeconfigs))
    operator.register(moduleController(options, kubeconfigs))
  }

/** The options of the tests. */
export const managed: ManagedWorkspacesOptions = { chart: vclusterChart('0.36.1') }

/** A kubeconfig whose server is never asked. */
export const anyKubeconfig = [
  'current-context: c',
  'contexts: [{ name: c, context: { cluster: c, user: u } }]',
  'clusters: [{ name: c, cluster: { server: "https://127.0.0.1:1" } }]',
  'users: [{ name: u, user: { token: t } }]',
].join('\n')

/** The place of the vcluster of a Workspace. */
export const placeOfKey = (namespace: string, name: string) =>
  placeOf({ metadata: { namespace, name } } as Workspace)

/** Creates a managed Workspace. */
export const createManaged = (
  client: Client,
  { namespace = 'default', name = 'dev', ...spec }: Record<string, unknown> = {},
) => client.create(workspaces, { metadata: { namespace, name }, spec: { type: 'managed', ...spec } } as never)

/**
 * Plays the host's controllers and the vclusters: the status of a StatefulSet follows its spec, its claim exists, and
 * one that runs has written its kubeconfig.
 */
export async function playVclusters(
  { client }: { readonly client: Client },
  kubeconfig: string | undefined,
): Promise<void> {
  const { items } = await client.list(statefulSets, { labelSelector: 'app=vcluster' })
  for (const { metadata, spec, status } of items) {
    const key = keyOf({ metadata })
    const replicas = spec?.replicas ?? 1
    if (replicas > 0 && kubeconfig !== undefined) await writeKubeconfig(client, key, kubeconfig)
    if (status?.replicas === replicas && (status.readyReplicas ?? 0) === replicas) continue
    const body = { status: { replicas, readyReplicas: replicas } }
    await client.patch(statefulSets, key, { type: 'merge', body, subresource: 'status' })
    await createClaim(client, key).catch(unless(isAlreadyExists))
  }
}

async function writeKubeconfig(
  client: Client,
  { namespace, name }: { namespace: string; name: string },
  text: string,
) {
  const metadata = { namespace, name: `vc-${name}` }
  const data = { config: Buffer.from(text).toString('base64') }
  const known = await client.get(secrets, metadata).catch(unless(isNotFound))
  if (!known) await client.create(secrets, { metadata, data })
}

const createClaim = (client: Client, { namespace, name }: { namespace: string; name: string }) =>
  client.create(persistentVolumeClaims, {
    metadata: { namespace, name: `data-${name}-0` },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '5Gi' } } },
  })

/** The names of the namespaces of managed Workspaces. */
export const managedNamespaces = async ({ client }: { readonly client: Client }): Promise<string[]> =>
  (await client.list(namespaces, { labelSelector: 'forkspacer.com/workspace' })).items.map(
    ({ metadata }) => metadata.name ?? '',
  )

const unless =
  (isExpected: (error: unknown) => boolean) =>
  (error: unknown): undefined => {
    if (!isExpected(error)) throw error
  }
