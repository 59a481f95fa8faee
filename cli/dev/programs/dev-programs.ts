import { describeAnyProgram } from '../../program/describe-program.js'
import { type DevProgram, type DevProgramOptions, programNamespace } from './dev-program.js'

/**
 * Makes what runs the program of a folder, by the kind of its description. A program that fails is run as a plugin, which reports
 * the failure. Undefined if `signal` aborts before.
 */
export async function devProgram(
  parts: DevProgramOptions,
  signal: AbortSignal,
): Promise<DevProgram | undefined> {
  const asked = { namespace: programNamespace, signal, onSlow: parts.report.message }
  const description = await describeAnyProgram(parts.plugin, asked).catch(() => undefined)
  if (signal.aborted) return undefined
  switch (description?.kind) {
    case 'CnpgPluginDescription':
      return (await import('./cnpg.js')).cnpgProgram(parts, description)
    case 'OperatorDescription':
      return (await import('./operator.js')).operatorProgram(parts, description)
    default:
      return (await import('./plugin.js')).pluginProgram(parts, description)
  }
}
