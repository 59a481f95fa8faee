/** The name of the cluster of an operator that has one. */
export const mainCluster = 'main'
