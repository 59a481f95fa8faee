import { stat } from 'node:fs/promises'
import { builtinKind } from './builtin-kind.js'
import { customKind } from './custom-kind.js'
import type { KindDesign } from './plugin-design.js'

/**
 * Finds a kind by a user's input: a built-in kind in any spelling of kubectl, or the file of a definition. Throws
 * `PluginError` `UNKNOWN_KIND`, or `INVALID_CRD` for an invalid file.
 */
export async function findKindDesign(kindName: string): Promise<KindDesign> {
  return (await isFile(kindName)) ? customKind(kindName) : builtinKind(kindName)
}

async function isFile(path: string): Promise<boolean> {
  if (!/[./\\]/.test(path)) return false
  try {
    return (await stat(path)).isFile()
  } catch (error) {
    if (Object(error).code === 'ENOENT') return false
    throw error
  }
}
