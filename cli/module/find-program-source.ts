import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PluginError } from '../../sdk/engine/kube/error.js'

const names = ['program.ts', 'program.mjs', 'program.js']

/** The absolute path of a program's source: the file itself, or `program.ts` in the folder. Throws `NO_PROGRAM`. */
export async function findProgramSource(entry: string): Promise<string> {
  const stats = await stat(entry).catch(() => undefined)
  if (stats?.isFile()) return resolve(entry)
  for (const name of stats ? names : []) {
    const file = join(resolve(entry), name)
    if (await stat(file).catch(() => undefined)) return file
  }
  const why = stats ? `there is no ${names.join(', ')} in ${entry}` : `${entry} does not exist`
  throw new PluginError('NO_PROGRAM', `${why}; pass the file of a program, or its folder`)
}
