import { type FunctionChart, type FunctionChartOptions, functionChart } from '../../chart/function-chart.js'
import { objectsOf } from '../manifest.js'

/**
 * A chart whose objects are given as YAML, for example the output of `helm template` in a test; values change nothing.
 *
 * @example
 * ```ts
 * const manifest = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }'
 * const chart = prerendered({ name: 'greeter', version: '1.0.0' }, manifest)
 * console.log(chart.metadata.version) // 1.0.0
 * ```
 */
export function prerendered(options: FunctionChartOptions, manifest: string): FunctionChart {
  return functionChart(options, async () => (await objectsOf(manifest)).map(({ object }) => object))
}
