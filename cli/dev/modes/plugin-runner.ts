import type { DevClusters } from '../../clusters/clusters.js'
import type { FoundPlugin } from '../../program/find-plugin.js'
import type { PluginProcess, SpawnedPlugin } from '../../program/plugin-process.js'

/** Where `dev` runs a plugin. */
export interface PluginPlace {
  /** Whether the plugin's process may start before the clusters do, because it waits for them by itself. */
  readonly isPatient: boolean
  /** Brings up what the plugin meets beside the two clusters, and answers in words what that is. */
  open(clusters: DevClusters): Promise<string>
  /** Starts the plugin's process; after {@link open}, unless the place is patient. */
  start(): PluginProcess
  /** Restarts the vcluster process and says what that does to the plugin; undefined where there is no such process. */
  readonly restartVCluster: (() => Promise<string>) | undefined
}

/** What every place needs. */
export interface PluginPlaceParts {
  plugin: FoundPlugin
  vclusterName: string
  /** The plugin's own environment. */
  env: NodeJS.ProcessEnv
  /** Starts the plugin's program with these variables beside those of every place. */
  launch: (env: Readonly<Record<string, string>>) => SpawnedPlugin
  /** Hears a line that the plugin has printed elsewhere than on its standard streams. */
  onLine: (line: string) => void
  /** Hears what the place has to say once it is open. */
  onPlaceLine: (text: string) => void
  /** Called when the plugin has come as far as its place can see: for one whose log does not say that it runs. */
  onUp: () => void
  /** Starts the plugin's process anew. */
  restartPlugin: () => Promise<void>
}
