/** These choose the mode of a plugin, or are for another mode than the one that is chosen here. */
const ofModes = ['VCLUSTER_PLUGIN', 'VCLUSTER_PLUGIN_NAME', 'VCLUSTER_PLUGIN_ADDRESS']

/** What a plugin's process has of the environment of `dev`, wherever it is run. */
export function pluginEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { LOG_LEVEL: asked = '', ...inherited } = env
  for (const name of ofModes) delete inherited[name]
  // What is shown is chosen here, and the line that the plugin runs is needed.
  return { ...inherited, LOG_LEVEL: ['trace', 'debug'].includes(asked) ? asked : 'info' }
}
