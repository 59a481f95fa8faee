import type { PluginDescription } from '../../sdk/plugin/description.js'
import { helmValues } from '../helm/helm-values.js'
import { describeAnyProgram } from '../program/describe-program.js'
import { findPlugin } from '../program/find-plugin.js'
import { formatted } from '../terminal/output.js'
import { cnpgNamespace, cnpgObjects } from './cnpg/cnpg-objects.js'
import type { ManifestOptions } from './manifest-options.js'
import { modeFor } from './mode-for.js'
import { printOperator } from './operator/print-operator.js'
import { standaloneObjects } from './standalone-objects.js'

/**
 * Prints Helm values or objects that deploy the program in a folder. Throws `PluginError` if the folder has no plugin, the plugin
 * fails, or it cannot run in that mode.
 */
export async function printManifest({ folder, ...asked }: ManifestOptions): Promise<void> {
  const found = await findPlugin(folder)
  const namespace = asked.askedNamespace
  const description = await describeAnyProgram(found, { namespace })
  const image = asked.image ?? `${found.name}:dev`
  if (description.kind === 'OperatorDescription')
    return printOperator(description, {
      ...asked.operator,
      folder,
      image,
      createsNamespace: namespace === undefined,
    })
  if (description.kind === 'CnpgPluginDescription') {
    const { replicas, memoryMiB } = asked.operator
    const objects = cnpgObjects(description, {
      image,
      namespace: namespace ?? cnpgNamespace,
      replicas,
      memoryMiB,
    })
    process.stdout.write(await formatted({ table: [], data: objects }, 'yaml'))
    return
  }
  process.stdout.write(await manifestOf(description, { ...asked, image }))
}

async function manifestOf(
  description: PluginDescription,
  options: Omit<ManifestOptions, 'folder' | 'image'> & { image: string },
): Promise<string> {
  const mode = modeFor(description, options)
  if (mode !== 'standalone') return helmValues(description, { ...options, mode })
  return formatted({ table: [], data: standaloneObjects(description, options) }, 'yaml')
}
