import { basename } from 'node:path'
import { pluralOf } from '../../../sdk/operator/kind/define/plural.js'
import { parseApi } from '../kind/parse-api.js'
import { boilerplateChart } from './boilerplate-chart.js'
import type { ChartContent, HelmApi } from './chart-content.js'
import { type FoundChart, findNamedChart } from './find-chart.js'

/** Options of {@link helmApi}. */
export interface HelmApiOptions {
  /** The program's name, which names the chart if none is given. */
  name: string
  /** A folder, an archive, its URL, `oci://…`, or the name of a chart of `repo`; default a small chart. */
  chart?: string | undefined
  repo?: string | undefined
  chartVersion?: string | undefined
  /** The version and the source of a chart in a folder. */
  origin?: string | undefined
  /** `GROUP/VERSION/KIND`; default made from the chart's name. */
  api?: string | undefined
}

/**
 * Reads the chart of a new Helm API, and chooses its kind. Throws `UsageError` for an API that is not a group, a
 * version and a kind, and `PluginError` `INVALID_CHART` for a chart that cannot be installed.
 */
export async function helmApi(options: HelmApiOptions): Promise<HelmApi> {
  const { name, chart, api, repo, chartVersion: version } = options
  const content =
    chart === undefined
      ? boilerplateChart(name.replace(/-operator$/, ''))
      : contentOf(await findNamedChart({ chart, repo, version }))
  const kind = api === undefined ? kindFor(content.chart) : parseApi(api)
  const { origin = content.origin } = options
  return { ...kind, plural: pluralOf(kind.kind), ...content, ...(origin !== undefined && { origin }) }
}

/** The files of a found chart, and the values of its sample. */
function contentOf({ chart: { metadata, files, values }, origin }: FoundChart): ChartContent {
  return {
    ...(origin !== undefined && { origin }),
    chart: basename(metadata.name),
    files: Object.fromEntries(files.map(({ name, data }) => [name, data])),
    spec: Object.fromEntries(Object.entries(values).filter(([key, value]) => isName(key) && isPlain(value))),
  }
}

/** Whether a key needs no quotes in a sample. */
const isName = (key: string) => /^[A-Za-z_][\w-]*$/.test(key)

/**
 * Whether a value is a number or a boolean, which users set first. Texts are often empty, or names that must be unique.
 */
const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'boolean'

/** The kind of a chart for which the user names none. */
const kindFor = (chart: string) => ({
  group: 'charts.example.com',
  version: 'v1alpha1',
  kind: camelCase(chart),
})

/** The name of a kind: the words of a chart's name with capital letters. */
function camelCase(name: string): string {
  const words = name.split(/[^a-zA-Z0-9]+/).filter(Boolean)
  const kind = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
  return /^[A-Z]/.test(kind) ? kind : `Chart${kind}`
}
