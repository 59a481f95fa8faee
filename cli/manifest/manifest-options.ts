import type { Mode } from '../../sdk/plugin/mode.js'
import type { VClusterRelease } from '../helm/vcluster-release.js'

/** What `vcluster-plugin manifest` was asked for. */
export interface ManifestOptions {
  /** The plugin's folder. */
  folder: string
  chart: VClusterRelease['chart']
  /** Where the plugin runs; default the mode that it needs, see `modeFor`. */
  mode: Mode | undefined
  /** The plugin's image; default its name with the tag `dev`. */
  image: string | undefined
  /** The vcluster's name and namespace, which matter to a plugin on its own alone. */
  vclusterName: string
  namespace: string
}
