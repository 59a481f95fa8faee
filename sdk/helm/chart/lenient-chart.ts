import type { ChartFile, FileChart } from './chart.js'

const lenientCharts = new WeakMap<FileChart, FileChart>()

/**
 * A copy of a chart whose templates do not fail on wrong values: it has no schemas, `fail` prints nothing, and
 * `required` accepts everything. So the Secrets of a chart that refuses its values become known.
 */
export function lenientChart(chart: FileChart): FileChart {
  const lenientChart = lenientCharts.get(chart) ?? makeLenient(chart)
  lenientCharts.set(chart, lenientChart)
  return lenientChart
}

function makeLenient(chart: FileChart): FileChart {
  const { schema: _, ...rest } = chart
  return {
    ...rest,
    files: chart.files.filter(isNoSchema).map(lenientFile),
    templates: chart.templates.map(lenientFile),
    subcharts: chart.subcharts.map(lenientChart),
  }
}

const isNoSchema = ({ name }: ChartFile) => !/(?:^|\/)values\.schema\.json$/.test(name)

function lenientFile({ name, data }: ChartFile): ChartFile {
  if (!/(?:^|\/)templates\//.test(name)) return { name, data }
  const text = Buffer.from(data).toString('utf8')
  return { name, data: Buffer.from(text.replace(action, lenientAction)) }
}

// Without their ends, an action and a literal reach to the end of the text: a search that failed there would begin
// again at each brace and quote.

/** A template action. */
const action = /\{\{[\s\S]*?(?:\}\}|$)/g
/** A string literal of a template action, which stays as it is, or the code between literals. */
const textOrCode = /"[^"\\]*(?:\\[\s\S][^"\\]*)*["\\]?|`[^`]*`?|[^"`]+/g

/** Replaces `fail` and `required`. A replacement must also take its last argument from a pipeline; `and` returns it. */
const lenientAction = (text: string) =>
  text.replace(textOrCode, (part) =>
    /^["`]/.test(part)
      ? part
      : part.replace(/(?<![\w.$])fail(?!\w)/g, 'trunc 0').replace(/(?<![\w.$])required(?!\w)/g, 'and'),
  )
