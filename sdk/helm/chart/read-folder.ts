import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChartFile } from './chart.js'
import { ChartProblem } from './chart-problem.js'
import { IgnoreRules } from './ignore-rules.js'
import { ChartSize, maxFileBytes, withoutByteOrderMark } from './limits.js'

/**
 * Reads the files of a chart's folder as Helm does: in the order of their names, through symbolic links, without those
 * that `.helmignore` names. Rejects with {@link ChartProblem} for a link that leads back to its own folder, for a
 * device, a pipe or a socket, and for a file or chart that is too large.
 */
export async function readFolder(folder: string, size = new ChartSize()): Promise<ChartFile[]> {
  const walk = new FolderWalk(folder, new IgnoreRules(await ignoreText(folder)), size)
  await walk.enter('', [])
  return walk.files
}

async function ignoreText(folder: string): Promise<string> {
  const file = join(folder, '.helmignore')
  const stats = await stat(file).catch(() => undefined)
  if (!stats?.isFile() || stats.size > maxFileBytes) return ''
  return readFile(file, 'utf8')
}

/** Whether a file does not exist: charts from Git or source archives can contain links that lead out of the chart. */
const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

class FolderWalk {
  readonly files: ChartFile[] = []
  readonly #root: string
  readonly #rules: IgnoreRules
  readonly #size: ChartSize

  constructor(root: string, rules: IgnoreRules, size: ChartSize) {
    this.#size = size
    this.#root = root
    this.#rules = rules
  }

  /** Reads what is in a folder; `above` are the real paths of the folders that lead to it. */
  async enter(path: string, above: readonly string[]): Promise<void> {
    const folder = join(this.#root, path)
    const real = await realpath(folder)
    if (above.includes(real))
      throw new ChartProblem(`its folder ${path} is a link to a folder that contains it`)
    for (const name of (await readdir(folder)).sort()) {
      await this.#take(path === '' ? name : `${path}/${name}`, [...above, real])
    }
  }

  async #take(path: string, above: readonly string[]): Promise<void> {
    const full = join(this.#root, path)
    const stats = await stat(full).catch((error: unknown) => {
      throw isMissing(error)
        ? new ChartProblem(`its file ${path} is a link to a file that does not exist`)
        : error
    })
    if (this.#rules.ignores(path, stats.isDirectory())) return
    if (stats.isDirectory()) return this.enter(path, above)
    if (!stats.isFile()) throw new ChartProblem(`its file ${path} is not a regular file`)
    this.#size.add(path, stats.size)
    this.files.push({ name: path, data: withoutByteOrderMark(await readFile(full)) })
  }
}
