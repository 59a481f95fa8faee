import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PluginError } from '../../../sdk/engine/kube/error.js'
import { makeFolder } from '../../machine/make-folder.js'
import { type ChartDesign, chartFiles } from './chart-files.js'

/** Writes the files of a chart into a folder and overwrites existing ones. Throws `PluginError` `CANNOT_WRITE`. */
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
