import type { DevClusters } from '../../clusters/clusters.js'
import type { FoundPlugin } from '../../program/find-plugin.js'
import type { PluginProcess, SpawnedPlugin } from '../../program/plugin-process.js'

/** Runs a plugin in one mode. */
export interface PluginRunner {
  /** Whether the plugin's process may start before the clusters, because the plugin waits for them. */
  readonly startsBeforeClusters: boolean
  /** Starts the vcluster process, if the mode has one. Returns a message about it. */
  open(clusters: DevClusters): Promise<string>
  /** Starts the plugin's process; after {@link open}, unless {@link startsBeforeClusters}. */
  start(): PluginProcess
  /** Restarts the vcluster process and returns a message about it; undefined if the mode has none. */
  readonly restartVCluster: (() => Promise<string>) | undefined
}

/** Options of every runner. */
export interface PluginRunnerOptions {
  plugin: FoundPlugin
  vclusterName: string
  /** The plugin's own environment. */
  env: NodeJS.ProcessEnv
  /** Starts the plugin's program with these variables and those of every mode. */
  launch: (env: Readonly<Record<string, string>>) => SpawnedPlugin
  /** Called with a line that the plugin printed, but not on its standard streams. */
  onLine: (line: string) => void
  /** Called with messages about the vcluster process. */
  onMessage: (text: string) => void
  /** Called when the plugin has registered or leads: for plugins whose log does not say that they run. */
  onUp: () => void
  /** Restarts the plugin's process. */
  restartPlugin: () => Promise<void>
}
