import { findPlugin } from '../dev/find-plugin.js'
import { describeProgram } from './describe-program.js'
import { helmValues } from './helm-values.js'
import type { ManifestOptions } from './manifest-options.js'

/** Prints the Helm values for the plugin in a folder. Throws `PluginError` where the folder has none, or it fails. */
export async function printManifest({ folder, image, ...asked }: ManifestOptions): Promise<void> {
  const found = await findPlugin(folder)
  const description = await describeProgram(found)
  process.stdout.write(helmValues(description, { ...asked, image: image ?? `${found.name}:dev` }))
}
