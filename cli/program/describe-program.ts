import { PluginError } from '../../sdk/kube/error.js'
import type { PluginDescription } from '../../sdk/plugin/description.js'
import type { FoundPlugin } from './find-plugin.js'
import { spawnPlugin } from './plugin-process.js'

/** Time limit for a program to describe itself, in milliseconds. */
const deadlineMs = 30_000

/**
 * Runs a plugin's program with `VCLUSTER_PLUGIN_DESCRIBE=1` and returns the description that it prints. Throws `PluginError`
 * `NO_DESCRIPTION` if the program fails, prints none, or does not exit in time.
 */
export async function describeProgram({ entry, folder, name }: FoundPlugin): Promise<PluginDescription> {
  let description: PluginDescription | undefined
  const child = spawnPlugin({
    entry,
    env: { ...process.env, VCLUSTER_PLUGIN_DESCRIBE: '1', VCLUSTER_PLUGIN_NAME: name },
    onLine: (line) => {
      description ??= readDescription(line)
    },
  })
  const tooLate = setTimeout(() => child.kill(), deadlineMs)
  const { failure, signal } = await child.exited
  clearTimeout(tooLate)
  if (description) return description
  throw new PluginError('NO_DESCRIPTION', `the plugin in ${folder} ${whyNot(failure?.message, signal)}`)
}

function whyNot(message: string | undefined, signal: NodeJS.Signals | null): string {
  if (message !== undefined) return `failed before plugin.start(): ${message}`
  if (signal === 'SIGKILL') return `did not call plugin.start() within ${deadlineMs / 1000} s`
  return 'exited without calling plugin.start(); the program must call init, register and start'
}

function readDescription(line: string): PluginDescription | undefined {
  if (!line.startsWith('{"kind":"PluginDescription"')) return undefined
  return JSON.parse(line)
}
