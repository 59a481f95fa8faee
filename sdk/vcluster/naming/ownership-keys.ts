/**
 * The labels and annotations by which vcluster and its plugins recognise their objects
 * (`pkg/util/translate` @ vcluster v0.36.1).
 */

/**
 * Label of a copy: the vcluster that it belongs to, by its name, and for a cluster-scoped copy also by the host
 * namespace.
 */
export const markerLabel = 'vcluster.loft.sh/managed-by'
/** Label of a copy: the virtual namespace of its original. */
export const namespaceLabel = 'vcluster.loft.sh/namespace'
/** Label of either object: another controller manages the object, whatever the value. */
export const controlledByLabel = 'vcluster.loft.sh/controlled-by'
/** Label by which Helm finds its objects; never copied under its own key. */
export const releaseLabel = 'release'
/** The prefix of the key of a rewritten label. */
export const labelPrefix = 'vcluster.loft.sh/label'
/** The prefix of the key of a virtual namespace's label that is rewritten onto a Pod. */
export const namespaceLabelPrefix = 'vcluster.loft.sh/ns-label'

/** Annotation of a copy: the name of its original. */
export const nameAnnotation = 'vcluster.loft.sh/object-name'
/** Annotation of a copy: the namespace of its original. */
export const namespaceAnnotation = 'vcluster.loft.sh/object-namespace'
/** Annotation of a copy: the UID of its original. Since vcluster 0.14. */
export const uidAnnotation = 'vcluster.loft.sh/object-uid'
/** Annotation of a copy: its kind, as in `apps/v1, Kind=Deployment`. Since vcluster 0.21. */
export const kindAnnotation = 'vcluster.loft.sh/object-kind'
/** Annotation of a copy: its own name. Since vcluster 0.21. */
export const hostNameAnnotation = 'vcluster.loft.sh/object-host-name'
/** Annotation of a copy: its own namespace. Since vcluster 0.21. */
export const hostNamespaceAnnotation = 'vcluster.loft.sh/object-host-namespace'

/** Annotation of a copy: the sorted keys of the annotations that came from its original, a line each. */
export const managedAnnotationsAnnotation = 'vcluster.loft.sh/managed-annotations'
/** Annotation of a copy: the keys of the labels that came from its original; written by old vclusters only. */
export const managedLabelsAnnotation = 'vcluster.loft.sh/managed-labels'
/** Annotation of a virtual object: the object was imported from the host. */
export const importedAnnotation = 'vcluster.loft.sh/object-imported'
/** Annotation of a host object: leave the object alone if it has no original. */
export const skipBacksyncAnnotation = 'vcluster.loft.sh/skip-backsync'
/** Annotation of either object: only the syncer with this name manages the object. */
export const controlledByAnnotation = controlledByLabel

/** Label of a virtual copy of a host object: the syncer that made it. */
export const madeByLabel = 'plugin.vcluster.loft.sh/managed-by'
/** Annotation of a virtual copy of a host object: the key of its original. */
export const hostObjectAnnotation = 'plugin.vcluster.loft.sh/host-object'
/** Annotation of a virtual copy of a host object: the sorted keys of the annotations that came with it, a line each. */
export const virtualManagedAnnotationsAnnotation = 'plugin.vcluster.loft.sh/managed-annotations'
/** Annotation of an original: the finalizers that came from its copy, a line each. */
export const hostFinalizersAnnotation = 'plugin.vcluster.loft.sh/host-finalizers'
/** Annotation of a virtual object: copy the object although no other object refers to it. */
export const forceSyncAnnotation = 'vcluster.loft.sh/force-sync'
/** Annotation of a copy: the state of original and copy when they were last in sync. */
export const lastSyncedAnnotation = 'plugin.vcluster.loft.sh/last-synced'
/** Label of a host object: copy the object into the virtual cluster. People set this label; the value is `true`. */
export const syncFromHostLabel = 'plugin.vcluster.loft.sh/sync-from-host'

/** The prefix of our own labels and annotations. */
export const ownPrefix = 'plugin.vcluster.loft.sh/'

/**
 * Whether a key belongs to vcluster or to this SDK. The value of such an annotation holds for one cluster only, so it
 * is never copied.
 */
export function isOwnershipKey(key: string): boolean {
  return key.startsWith('vcluster.loft.sh/') || key.startsWith(ownPrefix)
}
