import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Whether a folder holds a program of this SDK: its package.json says where its `main` is. */
export async function isProject(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}')
  try {
    return Object(JSON.parse(text))['vcluster-plugin']?.main !== undefined
  } catch {
    return false
  }
}
