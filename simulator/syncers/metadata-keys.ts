/**
 * The labels and annotations by which vcluster recognises its copies.
 *
 * Written down from vcluster's sources and from what running vclusters wrote, and from no part of the SDK: the simulator
 * must not repeat a mistake of the program that it tests.
 * See pkg/util/translate @ v0.19.10 and @ v0.36.1 of vcluster.
 */
const prefix = 'vcluster.loft.sh'

/** Label of a copy: the name of its vcluster. */
export const managedByLabel = `${prefix}/managed-by`
/** Label of a copy: the virtual namespace of the original. */
export const virtualNamespaceLabel = `${prefix}/namespace`
/** Label and annotation of either object: another controller syncs it. */
export const controlledBy = `${prefix}/controlled-by`
/** Label that Helm sets. Since 0.21 one of the four that are hashed. */
export const releaseLabel = 'release'
/** The start of a hashed label key. */
export const hashedLabelPrefix = `${prefix}/label`
/** The start of a label of a Pod that was made from a label of its namespace. */
export const namespaceLabelPrefix = `${prefix}/ns-label`

/** Annotations of a copy that say which object it was made from. */
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
/** The same for labels. Only old vclusters write it. */
export const managedLabels = `${prefix}/managed-labels`
/** Annotation of a virtual object: sync it although no Pod uses it. */
export const forceSync = `${prefix}/force-sync`
/** Annotation of a copy: keep it when its original is deleted. */
export const skipBacksync = `${prefix}/skip-backsync`
/** Annotation of a copy that was created before its original. It must not be deleted because the original is missing. */
export const blockDeletion = `${prefix}/block-deletion`
