import { formatResource, type Resource } from '../../engine/kube/resource.js'

/**
 * The kinds that some release of vcluster since 0.9 reads or writes by itself, by group: the kinds of its own syncers,
 * whether enabled by default or not (`chart/values.yaml` @ vcluster v0.36.1 and v0.20.1,
 * `pkg/controllers/resources/register.go`), and Namespaces, which it reads.
 */
const kindsByGroup: Readonly<Record<string, readonly string[]>> = {
  '': [
    ...['ConfigMap', 'Endpoints', 'Event', 'Namespace', 'Node', 'PersistentVolume', 'PersistentVolumeClaim'],
    ...['Pod', 'Secret', 'Service', 'ServiceAccount'],
  ],
  'discovery.k8s.io': ['EndpointSlice'],
  'events.k8s.io': ['Event'],
  'networking.k8s.io': ['Ingress', 'IngressClass', 'NetworkPolicy'],
  'node.k8s.io': ['RuntimeClass'],
  policy: ['PodDisruptionBudget'],
  'resource.k8s.io': ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate'],
  'scheduling.k8s.io': ['PriorityClass'],
  'snapshot.storage.k8s.io': ['VolumeSnapshot', 'VolumeSnapshotClass', 'VolumeSnapshotContent'],
  'storage.k8s.io': ['CSIDriver', 'CSINode', 'CSIStorageCapacity', 'StorageClass'],
}

/** Groups of which vcluster syncs every kind that it knows. */
const wholeGroups: ReadonlySet<string> = new Set(['gateway.networking.k8s.io'])

/** Kubernetes' own groups; a kind of another group is a custom kind. */
const isBuiltInGroup = (group: string) => !group.includes('.') || group.endsWith('.k8s.io')

/** Why vcluster may never call a hook of this kind; undefined if vcluster has a syncer for the kind. */
export function whyNotHooked({ group, kind, plural }: Resource): string | undefined {
  if (kindsByGroup[group]?.includes(kind) || wholeGroups.has(group)) return undefined
  const kindText = `${kind} (${formatResource({ group, plural })})`
  if (isBuiltInGroup(group)) return `vcluster does not sync ${kindText}, so it never calls the hook`
  return (
    `vcluster has no syncer of its own for ${kindText}; it calls the hook only where its values sync that kind ` +
    'by sync.toHost.customResources or sync.fromHost.customResources'
  )
}
