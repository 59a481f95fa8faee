import type { ChartFile, FileChart } from './chart.js'

const lenient = new WeakMap<FileChart, FileChart>()

/**
 * A chart whose templates go on where they would give up: without its schemas, with `fail` that prints nothing, and
 * with `required` that does not require anything. It shows the Secrets of values that the chart refuses.
 */
export function lenientChart(chart: FileChart): FileChart {
  const known = lenient.get(chart) ?? made(chart)
  lenient.set(chart, known)
  return known
}

function made(chart: FileChart): FileChart {
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
  return { name, data: Buffer.from(text.replace(/\{\{[\s\S]*?\}\}/g, lenientAction)) }
}

/** The texts of an action, which stay as they are, or what is between them. */
const textOrCode = /"(?:\\.|[^"\\])*"|`[^`]*`|[^"`]+/g

/** Both functions take their last argument from a pipeline, as those in their place do: `and` answers the last one. */
const lenientAction = (action: string) =>
  action.replace(textOrCode, (part) =>
    /^["`]/.test(part)
      ? part
      : part.replace(/(?<![\w.$])fail(?!\w)/g, 'trunc 0').replace(/(?<![\w.$])required(?!\w)/g, 'and'),
  )
