/** Variables that select a plugin's mode or belong to one mode. */
const ofModes = ['VCLUSTER_PLUGIN', 'VCLUSTER_PLUGIN_NAME', 'VCLUSTER_PLUGIN_ADDRESS']

/** The environment of this process for a plugin's process, without variables of modes. */
export function pluginEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { LOG_LEVEL: asked = '', ...inherited } = env
  for (const name of ofModes) delete inherited[name]
  // `dev` formats and filters the log itself, and needs the line that the plugin is running.
  return { ...inherited, LOG_FORMAT: 'json', LOG_LEVEL: ['trace', 'debug'].includes(asked) ? asked : 'info' }
}
