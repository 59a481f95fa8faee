import type { JsonObject } from './json-object.js'

/** A file of a chart, with its path inside of the chart's folder. */
export interface ChartFile {
  /** The path, with `/` between folders. */
  readonly name: string
  readonly data: Uint8Array
}

/** A dependency that a `Chart.yaml` lists. */
export interface ChartDependency {
  readonly name: string
  readonly version?: string
  readonly repository?: string
  readonly condition?: string
  readonly tags?: readonly string[]
  readonly alias?: string
  readonly 'import-values'?: readonly unknown[]
}

/** The content of a `Chart.yaml`; fields that Helm does not know are left out. */
export interface ChartMetadata {
  readonly name: string
  readonly version: string
  readonly apiVersion: string
  readonly appVersion?: string
  readonly description?: string
  readonly type?: string
  readonly kubeVersion?: string
  readonly deprecated?: boolean
  readonly dependencies?: readonly ChartDependency[]
  readonly annotations?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/** A chart that was read from files, with its subcharts. */
export interface FileChart {
  /** The folder or archive that it comes from, for messages. */
  readonly source: string
  readonly metadata: ChartMetadata
  /** `Chart.lock`, or `requirements.lock` of charts with `apiVersion: v1`. */
  readonly lock?: JsonObject
  /** The defaults of `values.yaml`. */
  readonly values: JsonObject
  /** The unchanged content of `values.schema.json`. */
  readonly schema?: Uint8Array
  readonly templates: readonly ChartFile[]
  /** The files that Helm does not interpret, such as a README. */
  readonly otherFiles: readonly ChartFile[]
  /** The charts in `charts/`, whether they are enabled or not. */
  readonly subcharts: readonly FileChart[]
  /** Every file of the chart and its subcharts, those that `.helmignore` names left out. */
  readonly files: readonly ChartFile[]
}
