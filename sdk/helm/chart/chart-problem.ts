import { PluginError } from '../../engine/kube/error.js'

/** A problem in the content of a chart; {@link loadChart} adds the chart's place. */
export class ChartProblem extends Error {
  override readonly name = 'ChartProblem'
}

/** An error about a chart at a place: `PluginError` `INVALID_CHART`. */
export function invalidChartError(source: string, problem: string, options?: ErrorOptions): PluginError {
  return new PluginError('INVALID_CHART', `the chart ${source} cannot be used: ${problem}`, options)
}
