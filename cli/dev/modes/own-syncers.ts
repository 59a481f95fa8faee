import type { DevCluster } from '../../clusters/clusters.js'

/** Which kinds the stand-in vcluster process mirrors by itself: none to a real cluster, where only the plugin is to write. */
export const mirrorsOf = ({ isReal }: DevCluster) => (isReal ? { mirrors: [] } : {})

/** What that means, for the report. */
export const withoutHooks = ({ isReal }: DevCluster) =>
  isReal ? '; its own syncers are off because the host cluster is real, so hooks are not called' : ''
