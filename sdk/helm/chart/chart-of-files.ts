import { systemClock } from '../../engine/time/clock.js'
import { TimeSlice } from '../../engine/time/time-slice.js'
import type { ChartFile, ChartMetadata, FileChart } from './chart.js'
import { ChartProblem } from './chart-problem.js'
import type { JsonObject } from './json-object.js'
import { ChartSize } from './limits.js'
import { chartMetadata } from './metadata.js'
import { readArchive } from './read-archive.js'
import { readYamlMap } from './read-yaml-map.js'

/** The files that have a meaning of their own. */
const namedFiles = [
  ...['Chart.yaml', 'Chart.lock', 'values.yaml', 'values.schema.json'],
  ...['requirements.yaml', 'requirements.lock'],
]

/**
 * Makes a chart, with its subcharts, from its files. Rejects with {@link ChartProblem} for a chart that Helm would not
 * load. `source` names the chart in messages, and `size` counts and limits the content.
 */
export async function chartOfFiles(
  files: readonly ChartFile[],
  source: string,
  size = new ChartSize(),
): Promise<FileChart> {
  const read = (name: string) => yamlOf(files, name, size)
  const chart = await read('Chart.yaml')
  if (!chart) throw new ChartProblem('it has no Chart.yaml')
  const metadata = chartMetadata(chart, await read('requirements.yaml'))
  const lock = (await read('Chart.lock')) ?? (await read('requirements.lock'))
  await countTexts(files, size)
  const schema = files.find(({ name }) => name === 'values.schema.json')?.data
  return {
    source,
    metadata,
    ...(lock && { lock }),
    values: (await read('values.yaml')) ?? {},
    ...(schema && { schema }),
    templates: files.filter(({ name }) => name.startsWith('templates/')),
    otherFiles: files.filter((file) => isOther(file, metadata)),
    subcharts: await subchartsOf(files, source, size),
    files,
  }
}

async function yamlOf(
  files: readonly ChartFile[],
  fileName: string,
  size: ChartSize,
): Promise<JsonObject | undefined> {
  const file = files.findLast(({ name }) => name === fileName)
  if (!file) return undefined
  size.addYaml(file.data)
  return readYamlMap(file)
}

/** Counts the files that the renderer reads as YAML. */
async function countTexts(files: readonly ChartFile[], size: ChartSize): Promise<void> {
  const slice = new TimeSlice(systemClock)
  for (const { name, data } of files) {
    if (!/^(?:templates|crds)\//.test(name)) continue
    if (slice.isOver) await slice.pause()
    size.addText(name, data)
  }
}

/** Whether Helm does not interpret a file. In charts of `apiVersion: v1`, templates can also read the requirements. */
function isOther({ name }: ChartFile, { apiVersion }: ChartMetadata): boolean {
  if (name.startsWith('requirements.')) return apiVersion === 'v1' || !namedFiles.includes(name)
  if (name.startsWith('charts/')) return name.endsWith('.prov')
  return !name.startsWith('templates/') && !namedFiles.includes(name)
}

/** The charts in `charts/`: folders and archives. Names that begin with a dot or an underscore are left out. */
async function subchartsOf(
  files: readonly ChartFile[],
  source: string,
  size: ChartSize,
): Promise<FileChart[]> {
  const groups = new Map<string, ChartFile[]>()
  for (const { name, data } of files) {
    if (!name.startsWith('charts/') || name.endsWith('.prov')) continue
    const [, chart = '', ...rest] = name.split('/')
    if (/^[_.]/.test(chart)) continue
    addTo(groups, chart, { name: rest.join('/'), data })
  }
  const charts: FileChart[] = []
  const slice = new TimeSlice(systemClock)
  // One after the other: a single archive may use up the limit for all subcharts.
  for (const [name, groupFiles] of groups) {
    if (slice.isOver) await slice.pause()
    charts.push(await subchartOf(name, groupFiles, { source: `${source}/charts/${name}`, size }))
  }
  return charts
}

async function subchartOf(
  name: string,
  files: readonly ChartFile[],
  { source, size }: { readonly source: string; readonly size: ChartSize },
): Promise<FileChart> {
  try {
    const [archive] = files
    const chartFiles = name.endsWith('.tgz') && archive ? await readArchive(archive.data, size) : files
    const filesWithName = chartFiles.filter((file) => file.name !== '')
    return await chartOfFiles(filesWithName, source, size)
  } catch (error) {
    if (!(error instanceof ChartProblem)) throw error
    throw new ChartProblem(`its subchart charts/${name} cannot be used: ${error.message}`, { cause: error })
  }
}

function addTo(groups: Map<string, ChartFile[]>, chart: string, file: ChartFile): void {
  const group = groups.get(chart)
  if (group) group.push(file)
  else groups.set(chart, [file])
}
