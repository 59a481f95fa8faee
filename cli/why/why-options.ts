/** What `vcluster-plugin why` was told. */
export interface WhyOptions {
  kind: string
  name: string
  /** In the virtual cluster; left aside for cluster-scoped kinds. */
  namespace: string
  /** Where the plugin's metrics are served; default the plugin that `dev` runs. */
  url: string | undefined
  /** Where `dev` has written its files. */
  dir: string
  output: 'text' | 'json' | 'yaml'
}
