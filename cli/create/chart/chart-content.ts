/** The content of a file of a chart. */
export type FileContent = string | Uint8Array

/** A kind whose objects get a release of a chart each. */
export interface HelmApi {
  group: string
  version: string
  kind: string
  plural: string
  /** The name of the chart, and of its folder. */
  chart: string
  /** The files of the chart, by their path in its folder. */
  files: Readonly<Record<string, FileContent>>
  /** The spec of the sample: values of the chart. */
  spec: Readonly<Record<string, unknown>>
  /** The version and the source of the chart; only for a chart from a server. */
  origin?: string
}

/** The parts of an API that come from its chart. */
export type ChartContent = Pick<HelmApi, 'chart' | 'files' | 'spec' | 'origin'>
