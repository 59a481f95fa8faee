/** A kind that the simulated vcluster syncs. */
export type MirroredKind = 'Pod' | 'Service' | 'Secret' | 'ConfigMap'

/** Every kind that the simulated vcluster can sync. */
export const mirroredKindNames: readonly MirroredKind[] = ['Pod', 'Service', 'Secret', 'ConfigMap']
