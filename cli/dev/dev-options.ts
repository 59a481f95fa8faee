import type { Mode } from '../../sdk/vcluster/plugin/mode.js'
import type { ClusterOptions, RealOptions } from '../clusters/cluster-options.js'

/** Options of `vcluster-plugin dev`. */
export interface DevOptions extends Omit<ClusterOptions, 'mode'> {
  /** The mode of a plugin; default one that calls everything that it registers. */
  mode: Mode | undefined
  /** The plugin's folder. */
  folder: string
  /** Mirror the samples, print a summary and exit. */
  once: boolean
  /** Restart the plugin when its source changes. */
  watch: boolean
  /** The file with the samples; default `samples.yaml` in the plugin's folder. */
  samples: string | undefined
  /** The port on which the plugin waits for a debugger; default none. */
  inspect: number | undefined
  /** Set if the host cluster is a real one. */
  real: RealOptions | undefined
  /** Show the plugin's whole log. */
  verbose: boolean
  /** Port of the simulated vcluster process; 0 takes a free one. */
  vclusterPort: number
}
