import type { PluginDescription } from '../../sdk/plugin/description.js'
import { helmValues } from '../helm/helm-values.js'
import { describeProgram } from '../program/describe-program.js'
import { findPlugin } from '../program/find-plugin.js'
import { formatted } from '../terminal/output.js'
import type { ManifestOptions } from './manifest-options.js'
import { modeFor } from './mode-for.js'
import { standaloneObjects } from './standalone-objects.js'

/**
 * Prints Helm values or objects that deploy the plugin in a folder. Throws `PluginError` if the folder has no plugin, the plugin
 * fails, or it cannot run in that mode.
 */
export async function printManifest({ folder, image, ...asked }: ManifestOptions): Promise<void> {
  const found = await findPlugin(folder)
  const description = await describeProgram(found)
  process.stdout.write(await manifestOf(description, { ...asked, image: image ?? `${found.name}:dev` }))
}

async function manifestOf(
  description: PluginDescription,
  options: Omit<ManifestOptions, 'folder' | 'image'> & { image: string },
): Promise<string> {
  const mode = modeFor(description, options)
  if (mode !== 'standalone') return helmValues(description, { ...options, mode })
  return formatted({ table: [], data: standaloneObjects(description, options) }, 'yaml')
}
