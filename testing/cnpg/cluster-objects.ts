import type { CnpgCluster } from '../../sdk/cnpg/cluster/cluster.js'
import type { Pod } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'

/**
 * The objects that the operator makes for a Cluster before its first Pod, in its order; each runs through the hooks.
 */
export function objectsBeforePods(cluster: CnpgCluster): KubeObject[] {
  const { name } = cluster.metadata
  return [
    ...['ca', 'server', 'replication', 'app'].map((suffix) =>
      object(cluster, 'v1', 'Secret', `${name}-${suffix}`),
    ),
    ...['r', 'ro', 'rw'].map((suffix) => object(cluster, 'v1', 'Service', `${name}-${suffix}`)),
    object(cluster, 'policy/v1', 'PodDisruptionBudget', `${name}`),
    object(cluster, 'v1', 'ServiceAccount', `${name}`),
    object(cluster, 'rbac.authorization.k8s.io/v1', 'Role', `${name}`),
    object(cluster, 'rbac.authorization.k8s.io/v1', 'RoleBinding', `${name}`),
  ]
}

/** The volume of an instance, and the job that fills it if it is the first. */
export function instanceObjects(cluster: CnpgCluster, instance: number): KubeObject[] {
  const name = `${cluster.metadata.name}-${instance}`
  const job = {
    ...object(cluster, 'batch/v1', 'Job', `${name}-initdb`),
    spec: { template: { spec: podSpec() } },
  }
  return [object(cluster, 'v1', 'PersistentVolumeClaim', name), ...(instance === 1 ? [job] : [])]
}

/** The Pod of an instance as the operator wants it, before hooks. */
export function instancePod(cluster: CnpgCluster, instance: number): Pod {
  const name = `${cluster.metadata.name}-${instance}`
  const pod = object(cluster, 'v1', 'Pod', name)
  pod.metadata.labels = {
    ...pod.metadata.labels,
    'cnpg.io/podRole': 'instance',
    'cnpg.io/instanceName': name,
  }
  return { ...pod, kind: 'Pod', spec: podSpec() }
}

function podSpec(): NonNullable<Pod['spec']> {
  return {
    containers: [
      {
        name: 'postgres',
        image: 'ghcr.io/cloudnative-pg/postgresql:17',
        command: ['/controller/manager', 'instance', 'run'],
        volumeMounts: [{ name: 'pgdata', mountPath: '/var/lib/postgresql/data' }],
      },
    ],
    volumes: [{ name: 'pgdata', emptyDir: {} }],
    securityContext: { runAsUser: 26, runAsNonRoot: true },
  }
}

function object({ metadata }: CnpgCluster, apiVersion: string, kind: string, name: string): KubeObject {
  const labels = { 'cnpg.io/cluster': metadata.name ?? '' }
  return { apiVersion, kind, metadata: { namespace: metadata.namespace ?? 'default', name, labels } }
}
