import type { RenderedObject } from './renderer.js'

/** The kinds in the order in which Helm 4 installs them; all others follow, by their names. */
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
  ...['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
]

const ranks = new Map(kinds.map((kind, rank) => [kind, rank]))

/** Sorts objects in Helm's install order. Objects of one kind keep their order. */
export function inInstallOrder(objects: readonly RenderedObject[]): RenderedObject[] {
  return [...objects].sort((a, b) => compareKinds(a.object.kind ?? '', b.object.kind ?? ''))
}

/**
 * The kinds in the order in which Helm 4 deletes them: the reverse, except that Services go before the workloads behind
 * them. Webhooks go first, because they could refuse the deletion of other objects when the server behind them is gone.
 */
const deletedKinds = kinds.toReversed().filter((kind) => kind !== 'Service')
deletedKinds.splice(deletedKinds.indexOf('IngressClass') + 1, 0, 'Service')

const deleteRanks = new Map(deletedKinds.map((kind, rank) => [kind, rank]))

/**
 * Sorts the objects of a release in Helm's order of deletion. Objects of one kind, which Helm deletes at the same time,
 * are in reverse order. Kinds that Helm does not know come last, by their names.
 */
export function inDeleteOrder<T extends Pick<RenderedObject, 'object'>>(objects: readonly T[]): T[] {
  return objects.toReversed().sort((a, b) => compare(deleteRanks, a.object.kind ?? '', b.object.kind ?? ''))
}

/** Compares kinds by Helm's install order. */
export const compareKinds = (a: string, b: string): number => compare(ranks, a, b)

function compare(ranks: ReadonlyMap<string, number>, a: string, b: string): number {
  const [rankA, rankB] = [ranks.get(a), ranks.get(b)]
  if (rankA !== undefined && rankB !== undefined) return rankA - rankB
  if (rankA !== undefined) return -1
  if (rankB !== undefined) return 1
  return a < b ? -1 : a > b ? 1 : 0
}
