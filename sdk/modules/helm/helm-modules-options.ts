import type { ReleasePolicy } from '../../helm/policy/release-policy.js'
import type { ChartRenderer } from '../../helm/render/renderer.js'

/**
 * Options of Modules with Helm releases. Users who may create such Modules can do in the namespaces that `releases` and
 * `policy` allow what the operator can do there.
 */
export interface HelmModulesOptions {
  /**
   * The servers of charts and of values, of git and of registries (`oci://registry.example/charts`): the beginnings of
   * their URLs, and networks that host names may resolve to although they are internal. `ca` has certificate
   * authorities of these servers in PEM, in addition to those of Node. Default: none; then both come from ConfigMaps.
   */
  readonly charts?: {
    readonly allow: readonly string[]
    readonly networks?: readonly string[]
    readonly ca?: string
  }
  /**
   * The namespaces of releases, and of ConfigMaps with values, in the cluster that holds the Modules: that of the
   * Module, or also others; those of releases are created if they are absent. In the cluster of a kubeconfig every
   * namespace is allowed. Default: `same-namespace`.
   */
  readonly releases?: 'same-namespace' | 'all-namespaces'
  /**
   * The objects that releases may contain. Default: in the cluster of the Modules `{}`, so only objects in the
   * namespace of the release; in another cluster any that the operator may write there.
   */
  readonly policy?: ReleasePolicy
  /** An installation ends when its objects are `ready`, with `jobs` also its Jobs, or at once. Default: `ready`. */
  readonly wait?: 'none' | 'ready' | 'jobs'
  /** Renders charts. Default: `defaultRenderer` of `vcluster-plugin-sdk/helm`. */
  readonly renderer?: ChartRenderer
}
