/** Every kind that the stand-in vcluster process can mirror. */
export const mirroredKindNames = ['Pod', 'Service', 'Secret', 'ConfigMap'] as const

/** A kind that the stand-in vcluster process mirrors. */
export type MirroredKind = (typeof mirroredKindNames)[number]
