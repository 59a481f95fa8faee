/** What `vcluster-plugin manifest` was asked for. */
export interface ManifestOptions {
  /** The plugin's folder. */
  folder: string
  /** The chart's generation: vcluster 0.20 changed the words of its values. */
  chart: 'before 0.20' | 'since 0.20'
  /** Whether the plugin runs beside the vcluster or inside its container. */
  mode: 'sidecar' | 'in-syncer'
  /** The plugin's image; default its name with the tag `dev`. */
  image: string | undefined
}
