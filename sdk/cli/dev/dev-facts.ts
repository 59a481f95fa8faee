/** Where everything of a run of `dev` is. */
export interface DevFacts {
  virtual: { url: string; kubeconfig: string }
  host: { url: string; kubeconfig: string }
  vclusterAddress: string
  targetNamespace: string
}
