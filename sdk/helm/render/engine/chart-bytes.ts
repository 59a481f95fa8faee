import type { ChartFile, FileChart } from '../../chart/chart.js'
import { base64 } from '../recorded-chart.js'
import type { RecordedFile, RenderedObject } from '../renderer.js'

/** The parts of a chart that are the same in each rendering. */
export interface ChartBytes {
  /** The files one after the other, in memory that threads share. */
  readonly bytes: Uint8Array
  readonly files: readonly { readonly name: string; readonly size: number }[]
  /** The files as a release records them. */
  readonly recorded: {
    readonly templates: readonly RecordedFile[]
    readonly files: readonly RecordedFile[]
    readonly schema: string | null
  }
  /** The documents of files in `crds/`, by the file; each one is read once. */
  readonly definitions: Map<string, readonly RenderedObject[]>
}

const bytesOfCharts = new WeakMap<FileChart, ChartBytes>()

/** The unchanging parts of a chart, made once. */
export function chartBytes(chart: FileChart): ChartBytes {
  const parts = bytesOfCharts.get(chart) ?? makeChartBytes(chart)
  bytesOfCharts.set(chart, parts)
  return parts
}

function makeChartBytes({ files, templates, otherFiles, schema }: FileChart): ChartBytes {
  const sizes = files.map(({ name, data }) => ({ name, size: data.byteLength }))
  return {
    bytes: joinFiles(files),
    files: sizes,
    recorded: {
      templates: templates.map(recordFile),
      files: otherFiles.map(recordFile),
      schema: schema ? base64(schema) : null,
    },
    definitions: new Map(),
  }
}

function joinFiles(files: readonly ChartFile[]): Uint8Array {
  const size = files.reduce((sum, { data }) => sum + data.byteLength, 0)
  const bytes = new Uint8Array(new SharedArrayBuffer(size))
  let offset = 0
  for (const { data } of files) {
    bytes.set(data, offset)
    offset += data.byteLength
  }
  return bytes
}

const recordFile = ({ name, data }: ChartFile): RecordedFile => ({ name, data: base64(data) })
