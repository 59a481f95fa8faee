/**
 * The labels and annotations that identify vcluster's copies.
 *
 * They are copied from vcluster's sources and from objects of running vclusters, not from the SDK, so that
 * the simulator does not repeat a mistake of the SDK. See pkg/util/translate @ v0.19.10 and @ v0.36.1 of
 * vcluster.
 */
const prefix = 'vcluster.loft.sh'

/** Label of a copy: the name of its vcluster. */
export const managedByLabel = `${prefix}/managed-by`
/** Label of a copy: the virtual namespace of the original. */
export const virtualNamespaceLabel = `${prefix}/namespace`
/** Label and annotation of either object: another controller syncs it. */
export const controlledBy = `${prefix}/controlled-by`
/** Label that Helm sets. Since 0.21 it is one of the four hashed labels. */
export const releaseLabel = 'release'
/** The prefix of a hashed label key. */
export const hashedLabelPrefix = `${prefix}/label`
/** The prefix of a Pod's label that was made from a label of its namespace. */
export const namespaceLabelPrefix = `${prefix}/ns-label`

/** Annotations of a copy that name its original. */
export const objectName = `${prefix}/object-name`
export const objectNamespace = `${prefix}/object-namespace`
export const objectUid = `${prefix}/object-uid`
/** Since 0.21. */
export const objectKind = `${prefix}/object-kind`
/** Since 0.21: the name of the copy. */
export const objectHostName = `${prefix}/object-host-name`
/** Since 0.21: the namespace of the copy. */
export const objectHostNamespace = `${prefix}/object-host-namespace`

/** Annotation of a copy: the keys of the annotations of its original, sorted, one per line. */
export const managedAnnotations = `${prefix}/managed-annotations`
/** Annotation of a copy: the keys of the labels of its original. Only old vclusters write it. */
export const managedLabels = `${prefix}/managed-labels`
/** Annotation of a virtual object: sync it even if no Pod uses it. */
export const forceSync = `${prefix}/force-sync`
/** Annotation of a copy: keep it when its original is deleted. */
export const skipBacksync = `${prefix}/skip-backsync`
/**
 * Annotation of a copy that was created before its original. It must not be deleted because the original is missing.
 */
export const blockDeletion = `${prefix}/block-deletion`
