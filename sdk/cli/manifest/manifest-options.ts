import type { VClusterRelease } from './vcluster-release.js'

/** What `vcluster-plugin manifest` was asked for. */
export interface ManifestOptions {
  /** The plugin's folder. */
  folder: string
  chart: VClusterRelease['chart']
  /** Whether the plugin runs beside the vcluster or inside its container. */
  mode: 'sidecar' | 'in-syncer'
  /** The plugin's image; default its name with the tag `dev`. */
  image: string | undefined
}
