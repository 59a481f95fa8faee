import { relative } from 'node:path'
import type { CnpgPluginDescription } from '../../../sdk/cnpg/description.js'
import { freePorts } from '../../../simulator/free-ports.js'
import { UsageError } from '../../terminal/usage-error.js'
import { CnpgSession } from '../cnpg/cnpg-session.js'
import { DevInspector } from '../inspector/dev-inspector.js'
import type { DevProgram, DevProgramOptions } from './dev-program.js'

/** A plugin for CloudNativePG with a simulated operator. Throws `UsageError` for options that need a cluster. */
export async function cnpgProgram(
  programOptions: DevProgramOptions,
  { name }: CnpgPluginDescription,
): Promise<DevProgram> {
  const { options, plugin, report } = programOptions
  report.setProgram('plugin')
  if (options.real)
    throw new UsageError(
      `dev simulates the operator of a CNPG plugin; remove --kubeconfig and --context, or install ${relative('.', plugin.folder) || 'the plugin'} with vcluster-plugin manifest`,
    )
  if (options.state !== undefined)
    throw new UsageError('the simulated operator of a CNPG plugin keeps no objects; remove --state')
  const [programPort = 0] = options.once ? [] : await freePorts(1)
  const inspector = await DevInspector.start({ once: options.once, programPort })
  return new CnpgSession({ ...programOptions, inspector }, name)
}
