import { relative } from 'node:path'
import type { CnpgPluginDescription } from '../../../sdk/cnpg/description.js'
import { freePorts } from '../../../simulator/free-ports.js'
import { inspectorAddress } from '../../inspector/inspector-address.js'
import { UsageError } from '../../terminal/usage-error.js'
import { CnpgSession } from '../cnpg/cnpg-session.js'
import type { DevProgram, DevProgramOptions } from './dev-program.js'

/** A plugin for CloudNativePG with a simulated operator. Throws `UsageError` for options that need a cluster. */
export async function cnpgProgram(
  parts: DevProgramOptions,
  { name }: CnpgPluginDescription,
): Promise<DevProgram> {
  const { options, plugin, report } = parts
  report.runs('plugin')
  if (options.real)
    throw new UsageError(
      `dev simulates the operator of a CNPG plugin; remove --kubeconfig and --context, or install ${relative('.', plugin.folder) || 'the plugin'} with vcluster-plugin manifest`,
    )
  if (options.state !== undefined)
    throw new UsageError('the simulated operator of a CNPG plugin keeps no objects; remove --state')
  const [port = 0] = options.once ? [] : await freePorts(1)
  const inspector = options.once ? { url: undefined, env: {} } : inspectorAddress(process.env, port)
  return new CnpgSession({ ...parts, inspector }, name)
}
