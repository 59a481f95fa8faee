import type { KubeObject } from '../../engine/kube/object.js'
import { checkOptions, type OptionTypes } from '../../engine/manager/check-options.js'
import type { ChartMetadata } from './chart.js'
import { ChartProblem, invalidChartError } from './chart-problem.js'
import type { JsonObject } from './json-object.js'
import { chartMetadata } from './metadata.js'

/** The release that objects are made for; templates know it as `.Release`. */
export interface ChartRelease {
  readonly name: string
  readonly namespace: string
  readonly revision: number
  /** Whether no revision was deployed before; otherwise it is an upgrade. */
  readonly isInstall: boolean
}

/** Makes the objects of a release. Equal arguments should give equal objects, because other objects are an upgrade. */
export type ObjectsFunction = (
  values: JsonObject,
  release: ChartRelease,
) => readonly KubeObject[] | Promise<readonly KubeObject[]>

/** The name, the version and the defaults of a {@link functionChart}. */
export interface FunctionChartOptions {
  /** The name of the chart. */
  readonly name: string
  /** The semantic version of the chart. */
  readonly version: string
  /** The version of the program that the chart installs; default none. */
  readonly appVersion?: string
  /** Defaults for what the user does not set; merged as Helm merges `values.yaml`. Default none. */
  readonly values?: JsonObject
}

const optionTypes: OptionTypes<FunctionChartOptions> = {
  name: 'any',
  version: 'any',
  appVersion: 'any',
  values: 'any',
}

/** A chart in code. */
export interface FunctionChart {
  readonly metadata: ChartMetadata
  readonly values: JsonObject
  readonly objects: ObjectsFunction
}

/**
 * A chart whose objects a function makes, so that no template is rendered. Throws `PluginError` `INVALID_CHART` for a
 * name or version that Helm refuses.
 *
 * @example
 * ```ts
 * const about = { name: 'greeter', version: '1.0.0', values: { text: 'hello' } }
 * const greeter = functionChart(about, (values, release) => [
 *   { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: release.name }, data: { text: String(values.text) } },
 * ])
 * console.log(greeter.metadata.name) // greeter
 * ```
 */
export function functionChart(options: FunctionChartOptions, objects: ObjectsFunction): FunctionChart {
  checkOptions('functionChart', options, optionTypes)
  const { name, version, appVersion, values = {} } = options
  try {
    const metadata = chartMetadata({ apiVersion: 'v2', name, version, appVersion, type: 'application' })
    return { metadata, values, objects }
  } catch (error) {
    if (error instanceof ChartProblem)
      throw invalidChartError(name || 'in code', error.message, { cause: error })
    throw error
  }
}

/** Whether a chart is in code, made by {@link functionChart}. */
export function isFunctionChart(chart: object): chart is FunctionChart {
  return 'objects' in chart
}
