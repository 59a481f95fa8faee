/** Every kind that the simulated vcluster can sync. */
export const mirroredKindNames = ['Pod', 'Service', 'Secret', 'ConfigMap'] as const

/** A kind that the simulated vcluster syncs. */
export type MirroredKind = (typeof mirroredKindNames)[number]
