/**
 * The kinds that the role `edit` of Kubernetes may write, as a policy names kinds. Users with this role may also write
 * Secrets, so a record of a release gives them nothing with objects of these kinds in their namespace.
 */
export const editableKinds: readonly string[] = [
  ...[
    'ConfigMap',
    'PersistentVolumeClaim',
    'Pod',
    'ReplicationController',
    'Secret',
    'Service',
    'ServiceAccount',
  ],
  ...['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'].map((kind) => `${kind}.apps`),
  ...['CronJob', 'Job'].map((kind) => `${kind}.batch`),
  ...['Ingress', 'NetworkPolicy'].map((kind) => `${kind}.networking.k8s.io`),
  ...['HorizontalPodAutoscaler.autoscaling', 'PodDisruptionBudget.policy', 'Lease.coordination.k8s.io'],
]
