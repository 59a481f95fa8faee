/**
 * Reads charts from folders and archives, with the rules and limits of Helm, so that a chart that cannot be installed
 * is known before anything starts. The rendering of templates is left to `render/`.
 */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PluginError } from '../../engine/kube/error.js'
import { fileCure, whyUnreadable } from '../../engine/kube/read-text-file.js'
import { explainRejection } from '../../engine/manager/explain-failure.js'
import type { ChartFile, FileChart } from './chart.js'
import { chartOfFiles } from './chart-of-files.js'
import { ChartProblem, invalidChartError } from './chart-problem.js'
import { ChartSize, maxChartBytes, withoutByteOrderMark } from './limits.js'
import { readArchive } from './read-archive.js'
import { readFolder } from './read-folder.js'

/**
 * Loads a chart from a folder or an archive of `helm package`. Rejects with `PluginError` `INVALID_CHART` if it cannot
 * be read, if Helm would not load it, if it is a library, or if a dependency of `Chart.yaml` is missing in `charts/`.
 *
 * @example
 * ```ts
 * const chart = await loadChart(new URL('charts/memcached', import.meta.url))
 * console.log(chart.metadata.name, chart.metadata.version)
 * ```
 */
export async function loadChart(folderOrArchive: string | URL): Promise<FileChart> {
  return explainRejection(loadChartAt(folderOrArchive))
}

async function loadChartAt(folderOrArchive: string | URL): Promise<FileChart> {
  const path = typeof folderOrArchive === 'string' ? folderOrArchive : fileURLToPath(folderOrArchive)
  try {
    const size = new ChartSize()
    return await installableChart(() => filesAt(path, size), path, size)
  } catch (error) {
    if (error instanceof Error && 'code' in error && !(error instanceof PluginError))
      throw invalidChartError(path, unreadableReason(error), { cause: error })
    throw error
  }
}

const unreadableReason = (error: Error & { code: unknown }) =>
  error.code === 'ENOENT'
    ? `there is no such file or folder; ${fileCure}`
    : `it cannot be read: ${whyUnreadable(error)}; ${fileCure}`

/** The limit of YAML of an untrusted chart, in bytes: parsing 2 MiB blocks the event loop for some seconds. */
const maxYamlBytes = 2 ** 21

/**
 * Loads an untrusted chart from the bytes of an archive; `source` names it. Rejects as {@link loadChart} does, and for
 * a chart with more than 2 MiB of YAML besides its templates.
 */
export async function loadChartArchive(archive: Uint8Array, source: string): Promise<FileChart> {
  const size = new ChartSize(maxYamlBytes)
  return oneAtATime(() => installableChart(() => readArchive(archive, size), source, size))
}

/**
 * Loads an untrusted chart from its files, without those that `.helmignore` names. Rejects as {@link loadChartArchive}
 * does.
 */
export async function loadChartFiles(files: readonly ChartFile[], source: string): Promise<FileChart> {
  const size = new ChartSize(maxYamlBytes)
  const counted = async () =>
    files.map(({ name, data }) => {
      size.add(name, data.byteLength)
      return { name, data: withoutByteOrderMark(data) }
    })
  return oneAtATime(() => installableChart(counted, source, size))
}

let lastRead: Promise<unknown> = Promise.resolve()

/** Reads one untrusted chart after the other: each may need a hundred MiB of memory until its values are read. */
function oneAtATime<T>(read: () => Promise<T>): Promise<T> {
  const reading = lastRead.then(read)
  lastRead = reading.catch(() => {})
  return reading
}

async function installableChart(
  files: () => Promise<readonly ChartFile[]>,
  source: string,
  size: ChartSize,
): Promise<FileChart> {
  try {
    const chart = await chartOfFiles(await files(), source, size)
    checkInstallable(chart)
    return chart
  } catch (error) {
    if (error instanceof ChartProblem) throw invalidChartError(source, error.message, { cause: error })
    throw error
  }
}

async function filesAt(path: string, size: ChartSize): Promise<ChartFile[]> {
  const stats = await stat(path)
  if (stats.isDirectory()) {
    await checkHasChartFile(path)
    return readFolder(path, size)
  }
  if (!stats.isFile()) throw new ChartProblem('it is neither a folder nor a file')
  if (stats.size > maxChartBytes)
    throw new ChartProblem(`it has more than ${maxChartBytes} bytes, the most that Helm reads`)
  return readArchive(await readFile(path), size)
}

/** Another folder may have large files, which would be named instead. */
async function checkHasChartFile(folder: string): Promise<void> {
  await stat(join(folder, 'Chart.yaml')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new ChartProblem('it has no Chart.yaml; correct the path: a chart is the folder with this file')
  })
}

function checkInstallable({ metadata, subcharts }: FileChart): void {
  if (metadata.type === 'library')
    throw new ChartProblem(
      'it is a library (`type: library`), which cannot be installed; use it as a dependency',
    )
  const present = new Set(subcharts.map((chart) => chart.metadata.name))
  const missing = (metadata.dependencies ?? []).map(({ name }) => name).filter((name) => !present.has(name))
  if (missing.length > 0)
    throw new ChartProblem(
      `its ${missing.length > 1 ? 'dependencies' : 'dependency'} ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing in charts/; run \`helm dependency build\` in its folder`,
    )
}
