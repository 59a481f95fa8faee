import { describeAnyProgram } from '../../program/describe-program.js'
import { type DevProgram, type DevProgramOptions, programNamespace } from './dev-program.js'

/**
 * Makes what runs the program of a folder, by the kind of its description. A program that fails is run as a plugin, which reports
 * the failure.
 */
export async function devProgram(parts: DevProgramOptions): Promise<DevProgram> {
  const description = await describeAnyProgram(parts.plugin, { namespace: programNamespace }).catch(
    () => undefined,
  )
  switch (description?.kind) {
    case 'OperatorDescription':
      return (await import('./operator.js')).operatorProgram(parts, description)
    default:
      return (await import('./plugin.js')).pluginProgram(parts, description)
  }
}
