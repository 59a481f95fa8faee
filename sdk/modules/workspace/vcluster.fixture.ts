// A vcluster on an embedded host, whose controllers are played.
import type { Client } from '../../engine/client/client.js'
import { deployments, pods } from '../../engine/kube/builtin.js'
import { statefulSets } from '../../engine/kube/builtin-workloads.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'

/** The namespace of the vcluster. */
export const hostNamespace = 'team-dev'
/** The vcluster of the Workspace. */
export const vcluster = { name: 'dev', namespace: hostNamespace }

type Workload = KubeObject & {
  spec: { replicas?: number }
  status?: { replicas?: number; readyReplicas?: number }
}
const kinds = [statefulSets, deployments] as never as readonly Resource<Workload>[]

/** Creates a workload of the vcluster. */
export function createWorkload(
  client: Client,
  {
    kind = statefulSets as never,
    app = 'vcluster',
    replicas = 3,
  }: { kind?: Resource; app?: string; replicas?: number } = {},
): Promise<KubeObject> {
  const labels = { app, release: vcluster.name }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'syncer', image: 'vcluster' }] } }
  const spec = { replicas, serviceName: app, selector: { matchLabels: labels }, template }
  const name = app === 'vcluster' ? vcluster.name : `${vcluster.name}-${app}`
  return client.create(kind, { metadata: { namespace: hostNamespace, name, labels }, spec } as never)
}

/** Creates a Pod that the vcluster made on its host. */
export const createPod = (client: Client, name = 'web-x-default-x-dev') =>
  client.create(pods, {
    metadata: { namespace: hostNamespace, name, labels: { 'vcluster.loft.sh/managed-by': vcluster.name } },
    spec: {
      serviceAccountName: 'default',
      automountServiceAccountToken: false,
      containers: [{ name: 'web', image: 'nginx' }],
    },
  } as never)

/** Plays the controllers of workloads: the status follows the spec. A running vcluster makes its Pod again. */
export async function playWorkloads({ client }: { readonly client: Client }): Promise<void> {
  for (const kind of kinds) {
    const { items } = await client.list(kind, { namespace: hostNamespace })
    for (const { metadata, spec, status } of items) {
      const replicas = spec.replicas ?? 1
      if (status?.replicas === replicas && (status.readyReplicas ?? 0) === replicas) continue
      const body = { status: { replicas, readyReplicas: replicas } }
      await client.patch(kind, keyOf({ metadata }), { type: 'merge', body, subresource: 'status' })
    }
  }
  const { items } = await client.list(statefulSets, { namespace: hostNamespace })
  if (items.some(({ spec }) => spec?.replicas !== 0)) await createPod(client).catch(() => {})
}

/** The replicas and annotations of the StatefulSet. */
export async function readStatefulSet(client: Client) {
  const { metadata, spec } = await client.get(statefulSets, vcluster)
  return { replicas: spec?.replicas, annotations: metadata.annotations ?? {} }
}

/** Does to the StatefulSet what `vcluster pause` and `vcluster resume` do. */
export const byHand = (client: Client, does: 'pause' | 'resume') =>
  client.patch(statefulSets, vcluster, {
    type: 'merge',
    body:
      does === 'pause'
        ? {
            metadata: { annotations: { 'loft.sh/paused': 'true', 'loft.sh/paused-replicas': '3' } },
            spec: { replicas: 0 },
          }
        : {
            metadata: { annotations: { 'loft.sh/paused': null, 'loft.sh/paused-replicas': null } },
            spec: { replicas: 3 },
          },
  })
