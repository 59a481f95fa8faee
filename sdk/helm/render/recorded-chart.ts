import type { ChartFile, FileChart } from '../chart/chart.js'
import { type FunctionChart, isFunctionChart } from '../chart/function-chart.js'
import type { Chart, RecordedChart, RecordedFile } from './renderer.js'

/** The parts of a chart that a release stores, for renderers that do not give them. */
export function recordedChart(chart: Chart): RecordedChart {
  return isFunctionChart(chart) ? recordOfCode(chart) : recordOfFiles(chart)
}

function recordOfCode({ metadata, values }: FunctionChart): RecordedChart {
  return { metadata: { ...metadata }, lock: null, templates: [], values, schema: null, files: [] }
}

function recordOfFiles({ metadata, lock, templates, values, schema, otherFiles }: FileChart): RecordedChart {
  return {
    metadata: { ...metadata },
    lock: lock ?? null,
    templates: templates.map(recordFile),
    values,
    schema: schema ? base64(schema) : null,
    files: otherFiles.map(recordFile),
  }
}

const recordFile = ({ name, data }: ChartFile): RecordedFile => ({ name, data: base64(data) })

/** The base64 of bytes. */
export function base64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64')
}
