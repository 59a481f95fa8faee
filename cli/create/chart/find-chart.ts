import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { ChartMetadata, FileChart } from '../../../sdk/helm/chart/chart.js'
import { invalidChartError } from '../../../sdk/helm/chart/chart-problem.js'
import { loadChart, loadChartArchive } from '../../../sdk/helm/chart/load-chart.js'
import { UsageError } from '../../terminal/usage-error.js'
import { type ChartCredentials, credentialsOf } from './credentials.js'
import type { FetchedChart, RemoteChart } from './fetched-chart.js'
import { registryChart } from './registry-chart.js'
import { archiveAt, repositoryChart } from './repository-chart.js'

/** The largest archive of a chart, in bytes: 20 MiB. */
const archiveBytes = 20 * 2 ** 20

/** A chart that a user names. */
export interface NamedChart {
  /** A folder, an archive, its URL, `oci://…`, or the name of a chart of `repo`. */
  readonly chart: string
  readonly repo?: string | undefined
  readonly version?: string | undefined
}

/** A chart that was found. */
export interface FoundChart {
  readonly chart: FileChart
  /**
   * The version and the source of a chart from a server, such as `web 1.2.0 of oci://registry.example/charts/web,
   * sha256:…`; undefined for a folder and an archive on this machine.
   */
  readonly origin?: string
}

/**
 * Finds a chart: on this machine, in a repository or in a registry. Rejects with `UsageError` for flags that contradict
 * each other, and with `PluginError` `INVALID_CHART` for a chart that cannot be fetched or installed.
 */
export async function findNamedChart(
  named: NamedChart,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<FoundChart> {
  const fetching = fetchIfRemote(named, credentialsOf(env))
  if (!fetching) return { chart: await localChart(named.chart) }
  const sourceText = shownSource(named)
  const { archive, source } = await fetching.catch((cause: Error) => {
    throw invalidChartError(sourceText, cause.message, { cause })
  })
  const chart = await loadChartArchive(archive, sourceText)
  checkName(chart.metadata, sourceText)
  const digest = createHash('sha256').update(archive).digest('hex')
  return { chart, origin: `${chart.metadata.name} ${chart.metadata.version} of ${source}, sha256:${digest}` }
}

/** Reads a chart from a folder or an archive on this machine. */
async function localChart(chart: string): Promise<FileChart> {
  if (existsSync(chart)) return loadChart(chart)
  throw invalidChartError(
    chart,
    'there is no such file or folder; pass a folder, an archive, a URL or oci://…, or the name of a chart with --repo',
  )
}

/** Throws for a chart name with characters that Helm does not permit, because the name becomes a folder. */
function checkName({ name }: ChartMetadata, sourceText: string): void {
  if (/^[A-Za-z0-9][\w.-]*$/.test(name)) return
  throw invalidChartError(
    sourceText,
    `its name ${JSON.stringify(name)} has characters other than letters, digits and . _ -`,
  )
}

/** Begins to fetch a chart from its server; undefined for a chart on this machine. */
function fetchIfRemote(
  { chart, repo, version }: NamedChart,
  credentials: ChartCredentials | undefined,
): Promise<FetchedChart> | undefined {
  const remote: RemoteChart = { chart, repo, version, limitBytes: archiveBytes }
  const isOci = /^oci:\/\//i.test(chart)
  const isUrl = /^https?:\/\//i.test(chart)
  if (repo !== undefined) {
    if (isOci || isUrl) throw new UsageError('--chart is the name of a chart if --repo names its repository')
    return repositoryChart(remote, credentials)
  }
  if (version !== undefined && (!isOci || /:[\w.-]+$|@sha256:/.test(chart.slice(chart.lastIndexOf('/')))))
    throw new UsageError('--chart-version needs --repo, or an oci:// chart without a tag')
  if (isOci) return registryChart(remote, credentials)
  return isUrl ? archiveAt(remote, credentials) : undefined
}

/** The source for messages: a URL without user and query, which may be credentials. */
function shownSource({ chart, repo }: NamedChart): string {
  const withoutCredentials = (text: string) => text.replace(/\/\/[^/@]*@/, '//').replace(/\?.*$/s, '')
  return repo === undefined ? withoutCredentials(chart) : `${chart} of ${withoutCredentials(repo)}`
}
