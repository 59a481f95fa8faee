import type { DevClusters } from '../clusters/clusters.js'

/** The clusters of a plugin, by the names that they have in it. */
export const namedClusters = ({ virtual, host }: DevClusters) => [
  { ...virtual, name: 'virtual' },
  { ...host, name: 'host' },
]
