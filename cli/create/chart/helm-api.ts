import { basename } from 'node:path'
import type { FileChart } from '../../../sdk/helm/chart/chart.js'
import { loadChart } from '../../../sdk/helm/chart/load-chart.js'
import { pluralOf } from '../../../sdk/operator/kind/define/plural.js'
import { parseApi } from '../kind/parse-api.js'
import { boilerplateChart } from './boilerplate-chart.js'
import type { ChartContent, HelmApi } from './chart-content.js'

/** Options of {@link helmApi}. */
export interface HelmApiOptions {
  /** The program's name, which names the chart if none is given. */
  name: string
  /** The folder or archive of a chart; default a small one. */
  chart: string | undefined
  /** `GROUP/VERSION/KIND`; default made from the chart's name. */
  api: string | undefined
}

/**
 * Reads the chart of a new Helm API, and chooses its kind. Throws `UsageError` for an API that is not a group, a version and a kind,
 * and `PluginError` `INVALID_CHART` for a chart that cannot be installed.
 */
export async function helmApi({ name, chart, api }: HelmApiOptions): Promise<HelmApi> {
  const content =
    chart === undefined ? boilerplateChart(name.replace(/-operator$/, '')) : contentOf(await loadChart(chart))
  const kind = api === undefined ? kindFor(content.chart) : parseApi(api)
  return { ...kind, plural: pluralOf(kind.kind), ...content }
}

function contentOf({ metadata, files, values }: FileChart): ChartContent {
  return {
    chart: basename(metadata.name),
    files: Object.fromEntries(files.map(({ name, data }) => [name, data])),
    spec: Object.fromEntries(Object.entries(values).filter(([, value]) => isPlain(value))),
  }
}

/** Numbers and switches of a chart are what users set first. Text is often empty, or a name that must differ. */
const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'boolean'

const kindFor = (chart: string) => ({
  group: 'charts.example.com',
  version: 'v1alpha1',
  kind: camelCase(chart),
})

function camelCase(name: string): string {
  const words = name.split(/[^a-zA-Z0-9]+/).filter(Boolean)
  const kind = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
  return /^[A-Z]/.test(kind) ? kind : `Chart${kind}`
}
