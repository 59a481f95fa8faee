import type { RenderedObject } from './renderer.js'

/** The kinds in the order in which Helm installs them; all others follow, by their names. */
const kinds = [
  ...['PriorityClass', 'Namespace', 'NetworkPolicy', 'ResourceQuota', 'LimitRange', 'PodSecurityPolicy'],
  ...['PodDisruptionBudget', 'ServiceAccount', 'Secret', 'SecretList', 'ConfigMap', 'StorageClass'],
  ...[
    'PersistentVolume',
    'PersistentVolumeClaim',
    'CustomResourceDefinition',
    'ClusterRole',
    'ClusterRoleList',
  ],
  ...['ClusterRoleBinding', 'ClusterRoleBindingList', 'Role', 'RoleList', 'RoleBinding', 'RoleBindingList'],
  ...['Service', 'DaemonSet', 'Pod', 'ReplicationController', 'ReplicaSet', 'Deployment'],
  ...['HorizontalPodAutoscaler', 'StatefulSet', 'Job', 'CronJob', 'IngressClass', 'Ingress', 'APIService'],
]

const ranks = new Map(kinds.map((kind, rank) => [kind, rank]))

/** Sorts objects in Helm's install order. Objects of one kind keep their order. */
export function inInstallOrder(objects: readonly RenderedObject[]): RenderedObject[] {
  return [...objects].sort((a, b) => compareKinds(a.object.kind ?? '', b.object.kind ?? ''))
}

function compareKinds(a: string, b: string): number {
  const [rankA, rankB] = [ranks.get(a), ranks.get(b)]
  if (rankA !== undefined && rankB !== undefined) return rankA - rankB
  if (rankA !== undefined) return -1
  if (rankB !== undefined) return 1
  return a < b ? -1 : a > b ? 1 : 0
}
