/** Where everything of a run of `dev` is. */
export interface DevFacts {
  virtual: ClusterFacts
  host: ClusterFacts
  targetNamespace: string
  /** What goes wrong for the plugin, in words; `''` where nothing does. */
  faults: string
}

/** Where a cluster is, and how its user reaches it. */
export interface ClusterFacts {
  url: string
  /** By which file, in words. */
  source: string
  /** `kubectl` with the flags that lead there. */
  kubectl: string
}
