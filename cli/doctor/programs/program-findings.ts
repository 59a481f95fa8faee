import { PluginError } from '../../../sdk/kube/error.js'
import { type Description, describeAnyProgram } from '../../program/describe-program.js'
import { findPlugin } from '../../program/find-plugin.js'
import type { DoctorOptions } from '../doctor-options.js'
import type { Finding } from '../finding.js'

/** The findings about what the program of the folder needs, by its kind; without a program, those of a plugin. */
export async function programFindings(options: DoctorOptions): Promise<Finding[]> {
  const description = await describedIn(options)
  switch (description?.kind) {
    case 'CnpgPluginDescription':
      return (await import('./cnpg.js')).cnpgPluginFindings(description, options)
    case 'OperatorDescription':
      return (await import('./operator.js')).operatorProgramFindings(description, options)
    default:
      return (await import('./plugin.js')).pluginFindings(options)
  }
}

/** The description of the program; undefined if there is none, or if it fails. */
async function describedIn({ folder, namespace }: DoctorOptions): Promise<Description | undefined> {
  try {
    return await describeAnyProgram(await findPlugin(folder), { namespace })
  } catch (error) {
    if (error instanceof PluginError) return undefined
    throw error
  }
}
