import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PluginError } from '../../../sdk/engine/kube/error.js'
import { makeFolder } from '../../machine/make-folder.js'
import { type ChartDesign, chartFiles } from './chart-files.js'

/** Writes a chart into a folder. Files of the same names are overwritten. Throws `PluginError` `CANNOT_WRITE`. */
export async function writeChart(folder: string, design: ChartDesign): Promise<void> {
  for (const { path, text } of await chartFiles(design)) {
    const file = join(folder, path)
    await makeFolder(dirname(file))
    await writeFile(file, text).catch((cause: Error) => {
      throw new PluginError('CANNOT_WRITE', `cannot write the chart to ${folder}: ${cause.message}`, {
        cause,
      })
    })
  }
}

/** The version of a program in its package.json, which becomes that of its chart; 0.1.0 without one. */
export async function programVersion(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}')
  const { version } = JSON.parse(text)
  return typeof version === 'string' ? version : '0.1.0'
}
