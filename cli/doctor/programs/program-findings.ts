import { PluginError } from '../../../sdk/engine/kube/error.js'
import { type Description, describeAnyProgram } from '../../program/describe-program.js'
import { type FoundPlugin, findPlugin } from '../../program/find-plugin.js'
import type { DoctorOptions } from '../doctor-options.js'
import { type Finding, finding } from '../finding.js'

/**
 * The findings about what the program of the folder needs, by its kind; without a program, those of a plugin. A program
 * that does not describe itself is a failed check, and nothing else is checked for it.
 */
export async function programFindings(options: DoctorOptions): Promise<Finding[]> {
  const program = await programIn(options)
  if (program === undefined) return (await import('./plugin.js')).pluginFindings(options)
  const description = await describeFound(program, options)
  if ('state' in description) return [description]
  switch (description.kind) {
    case 'CnpgPluginDescription':
      return (await import('./cnpg.js')).cnpgPluginFindings(description, options)
    case 'OperatorDescription':
      return (await import('./operator.js')).operatorProgramFindings(description, options)
    case 'PluginDescription':
      return (await import('./plugin.js')).pluginFindings(options)
  }
}

/** The program of the folder; undefined without one. */
function programIn({ folder }: DoctorOptions): Promise<FoundPlugin | undefined> {
  return findPlugin(folder).catch((error: unknown) => {
    if (error instanceof PluginError) return undefined
    throw error
  })
}

function describeFound(program: FoundPlugin, { namespace }: DoctorOptions): Promise<Description | Finding> {
  return describeAnyProgram(program, { namespace }).catch((error: unknown) => {
    if (!(error instanceof PluginError)) throw error
    return finding('description', 'failed', `${error.message}; what it needs is not known`)
  })
}
