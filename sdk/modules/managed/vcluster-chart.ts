// The chart of vcluster, and the values of a managed Workspace.

import { PluginError } from '../../engine/kube/error.js'
import type { JsonObject } from '../../helm/chart/json-object.js'
import type { Chart } from '../../helm/render/renderer.js'
import { mergeValues } from '../helm/merge-values.js'
import { ModuleCharts } from '../helm/module-charts.js'
import type { NamedObject } from '../kinds/module.js'
import { isInRange } from '../program/version-range.js'
import type { ManagedWorkspacesOptions, PinnedChart, VclusterDistro } from './managed-options.js'

/** The first vcluster whose chart has the values that are set here. */
export const oldestVcluster = '0.20.0'

const exactVersion = /^v?\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/

/** Loads the chart once. */
export class VclusterChart {
  readonly #options: ManagedWorkspacesOptions
  #loaded: Promise<Chart> | undefined

  /** Throws a `PluginError` for a version that is not exact, and for a repository that is not a URL. */
  constructor(options: ManagedWorkspacesOptions) {
    this.#options = options
    const { chart } = options
    if (!isPinned(chart)) return
    if (!exactVersion.test(chart.version))
      throw new PluginError(
        'INVALID_REGISTRATION',
        `managed.chart.version must be an exact version, got ${JSON.stringify(chart.version)}`,
      )
    chartsOf(chart) // Throws for a repository that is not a URL.
  }

  /** Loads the chart at the first call. If that fails, the next call tries again. */
  load(signal: AbortSignal): Promise<Chart> {
    this.#loaded ??= this.#load(signal).catch((error: unknown) => {
      this.#loaded = undefined
      throw error
    })
    return this.#loaded
  }

  async #load(signal: AbortSignal): Promise<Chart> {
    const { chart } = this.#options
    if (!isPinned(chart)) return chart
    const { repo, version, digest, name = 'vcluster' } = chart
    const charts = chartsOf(chart)
    const source = { url: repo, chart: name, version }
    const chosen = await charts.choose({ repo: source }, { signal })
    if (chosen?.version !== version)
      throw new Error(`the repository ${repo} has no version ${version} of ${name}`)
    return charts.fetch({ ...chosen, ...(digest !== undefined && { digest }) }, { signal }, source)
  }
}

const chartsOf = ({ repo, allow = [], networks, ca }: PinnedChart) =>
  new ModuleCharts(
    { allow: [repo, ...allow], ...(networks && { networks }), ...(ca !== undefined && { ca }) },
    'managed.chart',
  )

const isPinned = (chart: ManagedWorkspacesOptions['chart']): chart is PinnedChart => 'repo' in chart

/** The name and the version of a chart, as one text. */
export function nameOfChart(chart: Chart): string {
  const { name, version } = chart.metadata
  return `${name}-${version}`
}

/** Whether a chart is older than {@link oldestVcluster}; false for a version that is not semantic. */
export function isOutdated(chart: Chart): boolean {
  try {
    return isInRange(chart.metadata.version, `<${oldestVcluster}-0`)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** The values of a vcluster. Its kubeconfig has the address of its Service. */
export function valuesOf(
  { name, namespace }: NamedObject,
  { distro, values = {} }: { distro?: VclusterDistro | undefined; values?: JsonObject | undefined },
): JsonObject {
  const requiredValues = {
    ...(distro && { controlPlane: { distro: { [distro]: { enabled: true } } } }),
    exportKubeConfig: { server: `https://${name}.${namespace}:443` },
  }
  return mergeValues(values, requiredValues)
}
