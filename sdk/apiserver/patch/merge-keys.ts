/** How lists are merged: by the value of a key in each element, or as a set of plain values. */
export type ListStrategy = { readonly mergeKey: string } | 'set'

/** Tells how the list at a path (field names, indices left out) of a kind is merged; nothing means as a whole. */
export type ListStrategies = (path: readonly string[]) => ListStrategy | undefined

const byKey = (mergeKey: string): ListStrategy => ({ mergeKey })

const METADATA: Readonly<Record<string, ListStrategy>> = {
  'metadata.finalizers': 'set',
  'metadata.ownerReferences': byKey('uid'),
}

/** Below a pod's spec; `patchMergeKey` in k8s.io/api v0.36.3, core/v1/types.go. */
const POD_SPEC: Readonly<Record<string, ListStrategy>> = {
  containers: byKey('name'),
  'containers.env': byKey('name'),
  'containers.ports': byKey('containerPort'),
  'containers.volumeDevices': byKey('devicePath'),
  'containers.volumeMounts': byKey('mountPath'),
  ephemeralContainers: byKey('name'),
  hostAliases: byKey('ip'),
  imagePullSecrets: byKey('name'),
  initContainers: byKey('name'),
  'initContainers.env': byKey('name'),
  'initContainers.ports': byKey('containerPort'),
  'initContainers.volumeMounts': byKey('mountPath'),
  resourceClaims: byKey('name'),
  schedulingGates: byKey('name'),
  topologySpreadConstraints: byKey('topologyKey'),
  volumes: byKey('name'),
}

function below(prefix: string, table: Readonly<Record<string, ListStrategy>>): Record<string, ListStrategy> {
  return Object.fromEntries(Object.entries(table).map(([path, strategy]) => [`${prefix}.${path}`, strategy]))
}

const WORKLOAD = { ...below('spec.template.spec', POD_SPEC), 'status.conditions': byKey('type') }

const KINDS: Readonly<Record<string, Readonly<Record<string, ListStrategy>>>> = {
  Pod: { ...below('spec', POD_SPEC), 'status.conditions': byKey('type'), 'status.podIPs': byKey('ip') },
  Deployment: WORKLOAD,
  ReplicaSet: WORKLOAD,
  StatefulSet: WORKLOAD,
  DaemonSet: WORKLOAD,
  Job: WORKLOAD,
  CronJob: below('spec.jobTemplate', WORKLOAD),
  Service: { 'spec.ports': byKey('port'), 'status.conditions': byKey('type') },
  ServiceAccount: { secrets: byKey('name'), imagePullSecrets: byKey('name') },
  Namespace: { 'status.conditions': byKey('type') },
  Node: {
    'spec.podCIDRs': 'set',
    'status.addresses': byKey('type'),
    'status.conditions': byKey('type'),
  },
  PersistentVolumeClaim: { 'status.conditions': byKey('type') },
}

/** The list strategies of a built-in kind. */
export function listStrategiesOf(kind: string): ListStrategies {
  const table = { ...METADATA, ...KINDS[kind] }
  return (path) => table[path.join('.')]
}
