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

/** The kinds in the order in which Helm deletes them: the reverse, except that Services go before the workloads behind them. */
const deletedKinds = kinds.toReversed().filter((kind) => kind !== 'Service')
deletedKinds.splice(deletedKinds.indexOf('IngressClass') + 1, 0, 'Service')

const deleteRanks = new Map(deletedKinds.map((kind, rank) => [kind, rank]))

/**
 * Sorts the objects of a release, which are in install order, in Helm's order of deletion. Kinds that Helm does not know are last again:
 * their controllers may be in the release, and their definitions may need them.
 */
export function inDeleteOrder<T extends Pick<RenderedObject, 'object'>>(objects: readonly T[]): T[] {
  const rankOf = ({ object: { kind = '' } }: T) => deleteRanks.get(kind) ?? deletedKinds.length
  return objects.toReversed().sort((a, b) => rankOf(a) - rankOf(b))
}

function compareKinds(a: string, b: string): number {
  const [rankA, rankB] = [ranks.get(a), ranks.get(b)]
  if (rankA !== undefined && rankB !== undefined) return rankA - rankB
  if (rankA !== undefined) return -1
  if (rankB !== undefined) return 1
  return a < b ? -1 : a > b ? 1 : 0
}
