import { basename, dirname, resolve } from 'node:path'
import { stringify } from 'yaml'
import type { PluginProgram } from './connected-program.js'
import { connectPluginProgram, cookie, startPluginProgram } from './plugin-program.js'
import type { StartedProgram, VClusterWithPluginsOptions } from './vcluster-with-plugins-options.js'

/**
 * The environment variables that a vcluster process sets for a plugin. `config` is the plugin's configuration in the
 * values.
 *
 * @example
 * ```ts
 * import { spawn } from 'node:child_process'
 *
 * const child = spawn('node', ['--inspect', 'main.js'], {
 *   env: { ...process.env, ...programEnvironment({ color: 'blue' }) },
 * })
 * console.log(child.pid)
 * ```
 */
export function programEnvironment(config?: object): Record<string, string> {
  return { ...cookie, PLUGIN_CONFIG: stringify(config ?? null) }
}

/** Starts one of the programs, or connects to one that was started. Rejects with vcluster's error. */
export function startProgram(
  program: string | StartedProgram,
  options: VClusterWithPluginsOptions,
): Promise<PluginProgram> {
  const { PATH, HOME, TMPDIR } = process.env
  const { env = { PATH, HOME, TMPDIR }, config = {} } = options
  const programEnv = { ...env, ...programEnvironment(config[basename(folderOf(program))]) }
  const started =
    typeof program === 'string'
      ? startPluginProgram({ file: program, env: programEnv })
      : connectPluginProgram(program.child, program)
  return started.catch((cause) => {
    const name = typeof program === 'string' ? program : program.folder
    throw new Error(`start plugin ${name}: ${cause.message}`, { cause })
  })
}

/** The plugin's folder. */
export const folderOf = (program: string | StartedProgram) =>
  typeof program === 'string' ? dirname(resolve(program)) : program.folder
