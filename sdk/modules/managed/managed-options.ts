import type { JsonObject } from '../../helm/chart/json-object.js'
import type { Chart, ChartRenderer } from '../../helm/render/renderer.js'

/** The distros that a managed Workspace may name. */
export type VclusterDistro = 'k3s' | 'k0s' | 'k8s' | 'eks'

/** One version of the chart of vcluster in a chart repository. */
export interface PinnedChart {
  /** The URL of the repository, such as `https://charts.loft.sh`. */
  readonly repo: string
  /** The exact version. */
  readonly version: string
  /** The SHA-256 of the archive in hex. Default: the one in the index of the repository. */
  readonly digest?: string
  /** The beginnings of the URLs of archives and of redirects that are not below `repo`. Default: none. */
  readonly allow?: readonly string[]
  /**
   * Networks such as `10.96.0.0/12` that the host of the repository may resolve to although they are internal. Default:
   * none.
   */
  readonly networks?: readonly string[]
  /** Certificate authorities of these servers in PEM, in addition to those of Node. Default: none. */
  readonly ca?: string
  /** The name of the chart. Default: `vcluster`. */
  readonly name?: string
}

/**
 * Options of managed Workspaces, which get a vcluster of their own. Users who may create Workspaces then create
 * vclusters: limit their number with a quota.
 */
export interface ManagedWorkspacesOptions {
  /**
   * The chart of vcluster, 0.20 or later: loaded with `loadChart` of `vcluster-plugin-sdk/helm`, or one version in a
   * repository.
   */
  readonly chart: Chart | PinnedChart
  /** The distros that the chart has. Default: `k8s`. A Workspace that names none gets that of the chart. */
  readonly distros?: readonly VclusterDistro[]
  /** Values for all vclusters. The distro and the address in the exported kubeconfig are set by the operator. */
  readonly values?: JsonObject
  /** Renders the chart. Default: `defaultRenderer` of `vcluster-plugin-sdk/helm`. */
  readonly renderer?: ChartRenderer
}
