import type { DevCluster } from '../../clusters/clusters.js'

/**
 * Option of the simulated vcluster process: no syncers of its own for a real host, because only the plugin may write
 * there.
 */
export const ownSyncersOf = ({ isReal }: DevCluster) => (isReal ? { syncToHost: [] } : {})

/** The note for the user that hooks are not called, if the host cluster is real; otherwise empty. */
export const hooksNote = ({ isReal }: DevCluster) =>
  isReal ? '; its own syncers are off because the host cluster is real, so hooks are not called' : ''
