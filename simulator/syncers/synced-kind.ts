/** A kind that the simulated vcluster syncs. */
export type SyncedKind = 'Pod' | 'Service' | 'Secret' | 'ConfigMap'

/** Every kind that the simulated vcluster can sync. */
export const syncedKinds: readonly SyncedKind[] = ['Pod', 'Service', 'Secret', 'ConfigMap']
