import { isFunctionChart } from '../../chart/function-chart.js'
import type { JsonObject } from '../../chart/json-object.js'
import type { Chart } from '../../render/renderer.js'
import { doubtfulValues } from '../../values/doubtful-values.js'
import { IrreconcilableError } from '../problem/problem.js'
import type { ReleaseRun } from './release-run.js'

/** The maximum number of values that a message names. */
const maxNames = 5

/** Values, and the chart that they are for. */
interface ChartValues {
  readonly chart: Chart
  readonly values: JsonObject
}

/** Throws {@link IrreconcilableError} for values that the chart probably does not mean, if the option says so. */
export function refuseDoubtful({ options }: ReleaseRun, values: ChartValues): void {
  if (options.doubtfulValues !== 'refuse') return
  const problem = doubtProblem(values)
  if (problem !== undefined) throw new IrreconcilableError('InvalidValues', problem)
}

/** Names doubtful values in an Event. The Event contains the paths, but not the values. */
export function reportDoubtful({ options, ctx }: ReleaseRun, values: ChartValues): void {
  if (options.doubtfulValues === 'ignore') return
  const problem = doubtProblem(values)
  if (problem !== undefined) ctx.events.warning('DoubtfulValue', problem)
}

/** A sentence about the doubtful values; undefined if there are none. Charts in code can read any value. */
function doubtProblem({ chart, values }: ChartValues): string | undefined {
  const doubtful = isFunctionChart(chart) ? [] : doubtfulValues(chart, values)
  if (doubtful.length === 0) return undefined
  const texts = doubtful.slice(0, maxNames).map(({ path, problem }) => `${path}: ${problem}`)
  const more = doubtful.length > maxNames ? `; and ${doubtful.length - maxNames} more` : ''
  return `values that the chart probably does not mean: ${texts.join('; ')}${more}`
}
