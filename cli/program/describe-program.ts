import { PluginError } from '../../sdk/kube/error.js'
import type { PluginDescription } from '../../sdk/plugin/description.js'
import type { FoundPlugin } from './find-plugin.js'
import { spawnPlugin } from './plugin-process.js'

/** How long a program may take to describe itself, in milliseconds. */
const deadlineMs = 30_000

/**
 * Runs a plugin's program with `VCLUSTER_PLUGIN_DESCRIBE=1` and answers what it tells of itself. Throws `PluginError`
 * with code `NO_DESCRIPTION` where it fails, ends without a word, or does not end.
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
