import type { OutputFormat } from '../terminal/output.js'

/** Options of `vcluster-plugin doctor`. */
export interface DoctorOptions {
  folder: string
  kubeconfig: string | undefined
  context: string | undefined
  virtual: string | undefined
  /** The folder with `<cluster>.kubeconfig` of the other clusters of an operator; default `CLUSTER_KUBECONFIGS`. */
  kubeconfigs?: string | undefined
  namespace: string | undefined
  output: OutputFormat
}
