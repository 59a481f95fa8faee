import { relative } from 'node:path'
import type { CnpgPluginDescription } from '../../sdk/cnpg/description.js'
import { PluginError } from '../../sdk/engine/kube/error.js'
import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import type { PluginDescription } from '../../sdk/vcluster/plugin/description.js'
import { describeLimit, longerLimit } from './describe-limit.js'
import type { FoundPlugin } from './find-plugin.js'
import { spawnPlugin } from './plugin-process.js'

/** Time that a program has to exit after its description, in milliseconds: its own timers may keep it running. */
const exitGraceMs = 1000
/** Time after which a program is slow to describe itself, in milliseconds. */
const slowMs = 3000

/** Options of {@link describeAnyProgram}. */
export interface DescribeOptions {
  /** The namespace that an operator takes as its own; default none. */
  namespace?: string | undefined
  /** Variables in addition to those of this process; default none. */
  env?: Readonly<Record<string, string>> | undefined
  /** Kills the program. */
  signal?: AbortSignal
  /** Called with what is waited for if the program is slow. */
  onSlow?: (waitingFor: string) => void
}

/** The description of a program of any kind. */
export type Description = PluginDescription | OperatorDescription | CnpgPluginDescription

/**
 * Runs a plugin's program and returns the description that it prints. Throws `PluginError` `NO_DESCRIPTION` as
 * {@link describeAnyProgram} does, or if it is an operator.
 */
export async function describePlugin(plugin: FoundPlugin): Promise<PluginDescription> {
  const description = await describeAnyProgram(plugin)
  if (description.kind === 'PluginDescription') return description
  const programType =
    description.kind === 'OperatorDescription' ? 'an operator' : 'a plugin for CloudNativePG'
  throw new PluginError('NO_DESCRIPTION', `${plugin.folder} is ${programType}, not a plugin of a vcluster`)
}

/**
 * Runs a program of any kind with `VCLUSTER_PLUGIN_DESCRIBE=1` and returns the description that it prints. An operator
 * takes `namespace` as its own. Throws `PluginError` `NO_DESCRIPTION` if the program fails, prints none, or does not
 * exit in time; the cause is the `Failure` of the program, if it reported one.
 */
export async function describeAnyProgram(
  { entry, folder, name }: FoundPlugin,
  { namespace = '', env, signal: stop, onSlow }: DescribeOptions = {},
): Promise<Description> {
  let description: Description | undefined
  const limit = describeLimit(process.env)
  const describeEnv = { VCLUSTER_PLUGIN_DESCRIBE: '1', VCLUSTER_PLUGIN_NAME: name, POD_NAMESPACE: namespace }
  let endTimer: NodeJS.Timeout | undefined
  const kill = () => child.kill()
  const child = spawnPlugin({
    entry,
    env: { ...env, ...describeEnv },
    onLine: (line) => {
      description ??= readDescription(line)
      if (description) endTimer ??= setTimeout(kill, exitGraceMs)
    },
  })
  const tooLate = setTimeout(kill, limit * 1000)
  const slow = setTimeout(() => onSlow?.(`waiting for ${relative('.', entry)} to call start()`), slowMs)
  stop?.addEventListener('abort', kill, { once: true })
  const { failure, signal } = await child.exited
  clearTimeout(tooLate)
  clearTimeout(slow)
  clearTimeout(endTimer)
  stop?.removeEventListener('abort', kill)
  if (description) return description
  const message = `the program in ${folder} ${failureReason(failure?.message, signal, limit)}`
  throw new PluginError('NO_DESCRIPTION', message, { cause: failure })
}

function failureReason(message: string | undefined, signal: NodeJS.Signals | null, limit: number): string {
  if (message !== undefined) return `failed before start(): ${message}`
  if (signal === 'SIGKILL') return `did not call start() ${longerLimit(limit)}`
  return 'exited without calling start(); the program must register its parts and call start (a plugin: init, register, start)'
}

function readDescription(line: string): Description | undefined {
  if (!/^\{"kind":"(Plugin|Operator|CnpgPlugin)Description"/.test(line)) return undefined
  return JSON.parse(line)
}
