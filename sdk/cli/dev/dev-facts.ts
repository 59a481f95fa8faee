/** Where everything of a run of `dev` is. */
export interface DevFacts {
  virtual: ClusterFacts
  host: ClusterFacts
  /** What the plugin meets beside the clusters, in words. */
  vcluster: string
  /** Where the plugin is looked at; undefined where the user's environment says. */
  inspectorUrl?: string | undefined
  targetNamespace: string
  /** What goes wrong for the plugin, in words; `''` where nothing does. */
  faults: string
}

/** Where a cluster is, and by which file it is reached. */
export interface ClusterFacts {
  url: string
  kubeconfig: string
}
