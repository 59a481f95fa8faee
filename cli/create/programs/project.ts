import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PluginError } from '../../../sdk/engine/kube/error.js'

/**
 * Whether a folder holds a program of this SDK, whose package.json names its `main`. Throws a `PluginError`
 * `NO_PLUGIN` if that is not JSON.
 */
export async function isProject(folder: string): Promise<boolean> {
  const file = join(folder, 'package.json')
  const text = await readFile(file, 'utf8').catch(() => '{}')
  try {
    return Object(JSON.parse(text))['vcluster-plugin']?.main !== undefined
  } catch (error) {
    throw new PluginError(
      'NO_PLUGIN',
      `${file} is not JSON: ${error instanceof Error ? error.message : error}`,
    )
  }
}
