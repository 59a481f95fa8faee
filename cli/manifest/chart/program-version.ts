import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The version in the package.json of a program, which its chart gets, too; `0.1.0` if there is none. */
export async function programVersion(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}')
  const { version } = JSON.parse(text)
  return typeof version === 'string' ? version : '0.1.0'
}
