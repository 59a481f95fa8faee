import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import merge from 'lodash/merge.js'
import { loadChart } from 'vcluster-plugin-sdk/helm'
import type { ModulesOptions } from 'vcluster-plugin-sdk/modules'
import { parse } from 'yaml'

const nextToIt = (file: string) => fileURLToPath(new URL(file, import.meta.url))
/** In an image they are next to the program. */
const charts = [nextToIt('chart'), process.env.VCLUSTER_CHART ?? '']
const values = [nextToIt('values.yaml'), nextToIt('../../vcluster/values.yaml')]

const own = {
  // It needs an image that the node does not have.
  sync: { toHost: { pods: { rewriteHosts: { enabled: false } } } },
  controlPlane: {
    statefulSet: { persistence: { volumeClaim: { enabled: true, storageClass: 'workspaces' } } },
  },
}

/** The option for managed Workspaces, with the chart of vcluster and values for the node. Empty without the chart. */
export async function managedVClusters(): Promise<Pick<ModulesOptions, 'managed'>> {
  const chart = charts.find(existsSync)
  if (chart === undefined) return {}
  const file = values.find(existsSync) ?? ''
  return {
    managed: { chart: await loadChart(chart), values: merge(parse(await readFile(file, 'utf8')), own) },
  }
}
