import type { ObjectName } from '../inspector/ask-inspector.js'

/** Options of `vcluster-plugin why`. */
export interface WhyOptions extends ObjectName {
  /** Address of the plugin's metrics; default the plugin that `dev` runs. */
  url: string | undefined
  /** The folder with the files of `dev`. */
  dir: string
  output: 'text' | 'json' | 'yaml'
}
