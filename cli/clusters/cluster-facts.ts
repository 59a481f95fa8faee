/** The facts about the clusters of a run that are shown to the user. */
export interface DevFacts {
  virtual: ClusterFacts
  host: ClusterFacts
  targetNamespace: string
  /** The injected faults as text; `''` for none. */
  faults: string
}

/** The address of a cluster, and how a user reaches it. */
export interface ClusterFacts {
  url: string
  /** The kubeconfig as text, for messages. */
  source: string
  /** The `kubectl` command for this cluster. */
  kubectl: string
}
