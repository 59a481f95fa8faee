import { unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PluginError } from '../../../sdk/engine/kube/error.js'
import { makeFolder } from '../../machine/make-folder.js'
import { type ChartDesign, chartFiles, templatePath } from './chart-files.js'

/**
 * Writes the files of a chart into a folder, overwrites existing ones, and removes templates of objects that the
 * program no longer has. Throws `PluginError` `CANNOT_WRITE`.
 */
export async function writeChart(folder: string, design: ChartDesign): Promise<void> {
  try {
    for (const { path, text } of await chartFiles(design)) {
      const file = join(folder, path)
      await makeFolder(dirname(file))
      await writeFile(file, text)
    }
    for (const [name, objects] of Object.entries(design.templates))
      if (objects.length === 0) await removeStale(join(folder, templatePath(name)))
  } catch (error) {
    const cause = error as Error
    throw new PluginError('CANNOT_WRITE', `cannot write the chart to ${folder}: ${cause.message}`, { cause })
  }
}

/** Helm would install the objects of an old template again. */
async function removeStale(file: string): Promise<void> {
  try {
    await unlink(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  process.stderr.write(`removed ${file}: the program no longer has these objects\n`)
}
