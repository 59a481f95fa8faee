/** Where everything of a run of `dev` is. */
export interface DevFacts {
  virtual: { url: string; kubeconfig: string }
  host: { url: string; kubeconfig: string }
  vclusterAddress: string
  /** Where the plugin is looked at; undefined where the user's environment says. */
  inspectorUrl?: string | undefined
  targetNamespace: string
}
