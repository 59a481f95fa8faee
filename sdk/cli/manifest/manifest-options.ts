import type { VClusterRelease } from './vcluster-release.js'

/** What `vcluster-plugin manifest` was asked for. */
export interface ManifestOptions {
  /** The plugin's folder. */
  folder: string
  chart: VClusterRelease['chart']
  /** Whether the plugin runs beside the vcluster, inside its container, or on its own. */
  mode: 'sidecar' | 'in-syncer' | 'standalone'
  /** The plugin's image; default its name with the tag `dev`. */
  image: string | undefined
  /** The vcluster's name and namespace, which matter to a plugin on its own alone. */
  vclusterName: string
  namespace: string
}
