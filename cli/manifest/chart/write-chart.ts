import { readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PluginError } from '../../../sdk/engine/kube/error.js'
import { makeFolder } from '../../machine/make-folder.js'
import { type ChartDesign, type ChartText, chartFiles, templateComment, templates } from './chart-files.js'

/**
 * Writes the files of a chart into a folder, overwrites existing ones, and removes templates of objects that the
 * program no longer has. Throws `PluginError` `CANNOT_WRITE`.
 */
export async function writeChart(folder: string, design: ChartDesign): Promise<void> {
  const files = await chartFiles(design)
  try {
    await writeFiles(folder, files)
    await removeStale(folder, new Set(files.map(({ path }) => path)))
  } catch (error) {
    const cause = error as Error
    throw new PluginError('CANNOT_WRITE', `cannot write the chart to ${folder}: ${cause.message}`, { cause })
  }
}

async function writeFiles(folder: string, files: readonly ChartText[]): Promise<void> {
  for (const { path, text } of files) {
    const file = join(folder, path)
    await makeFolder(dirname(file))
    await writeFile(file, text)
  }
}

/**
 * Removes templates that an earlier call wrote, and this one did not: Helm would install their objects again. Files
 * that people added to the folder stay.
 */
async function removeStale(folder: string, written: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(join(folder, templates))) {
    const file = join(folder, templates, name)
    if (written.has(`${templates}/${name}`) || !name.endsWith('.yaml')) continue
    if (!(await readFile(file, 'utf8')).startsWith(templateComment)) continue
    await unlink(file)
    process.stderr.write(`removed ${file}: the program no longer has these objects\n`)
  }
}
