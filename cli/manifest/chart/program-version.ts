import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PluginError } from '../../../sdk/engine/kube/error.js'

/**
 * The version in the package.json of a program, which its chart gets, too; `0.1.0` if there is none. Throws a
 * `PluginError` `NO_PLUGIN` for a file that is not JSON.
 */
export async function programVersion(folder: string): Promise<string> {
  const file = join(folder, 'package.json')
  const text = await readFile(file, 'utf8').catch(() => '{}')
  const { version } = Object(parseManifest(text, file))
  return typeof version === 'string' ? version : '0.1.0'
}

function parseManifest(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `${file} is not JSON: ${reason}. Correct it, because the chart takes its version from there.`
    throw new PluginError('NO_PLUGIN', message, { cause })
  }
}
