/**
 * The charts of other projects that real-charts.test.ts installs, changes and uninstalls, and one change of the values
 * of each.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../sdk/helm/chart/json-object.js'

const folder = process.env.REAL_CHARTS ?? ''

/** Why there are no charts; false if there are. */
export const missingCharts =
  folder === '' && 'REAL_CHARTS is not set: it names a folder with charts of other projects'

/** A chart in an archive. */
export interface CorpusChart {
  readonly name: string
  readonly archive: string
  /** The values that the chart requires; default none. */
  readonly values?: JsonObject
  /** The values that the upgrade adds. */
  readonly change: JsonObject
  /** Fields that the chart makes at random: they differ between two installations by the same program. */
  readonly random?: readonly RegExp[]
  /** Its `crds/` has a file that no cluster takes, so that helm does not install it either. */
  readonly skipsDefinitions?: boolean
}

/**
 * The charts, those with an aggregated API last: it has no backend here, so the collector of objects stops. Each
 * expression matches the kind, the name and the path of a field, such as `Secret ns/rel: data.password`.
 */
const charts: readonly Omit<CorpusChart, 'archive'>[] = [
  { name: 'ingress-nginx', change: { controller: { replicaCount: 2 } } },
  { name: 'cert-manager', change: { replicaCount: 2 } },
  { name: 'argo-cd', change: { server: { replicas: 2 } } },
  { name: 'kyverno', change: { backgroundController: { replicas: 2 } } },
  {
    name: 'velero',
    change: { podLabels: { tier: 'a' } },
    values: {
      configuration: {
        backupStorageLocation: [{ provider: 'aws', bucket: 'a' }],
        volumeSnapshotLocation: [{ provider: 'aws' }],
      },
    },
  },
  {
    name: 'grafana',
    change: { replicas: 2 },
    random: [/^Secret .*: data\.admin-password$/, /^Deployment .*checksum\/(secret|config)/],
  },
  { name: 'redis-ha', change: { redis: { terminationGracePeriodSeconds: 30 } } },
  { name: 'traefik', change: { deployment: { replicas: 2 } }, skipsDefinitions: true },
  { name: 'istiod', change: { cpu: { targetAverageUtilization: 70 } } },
  {
    name: 'bn-postgresql',
    change: { primary: { podLabels: { tier: 'a' } } },
    random: [/^Secret .*: data\.postgres-password$/],
  },
  {
    name: 'kube-prometheus-stack',
    change: { grafana: { replicas: 2 } },
    random: [/^Secret .*: data\.admin-password$/, /^Deployment .*checksum\/secret/],
  },
  { name: 'metrics-server', change: { replicas: 2 } },
  { name: 'prometheus-adapter', change: { replicas: 2 } },
]

/** The charts that are there. */
export const corpusCharts: readonly CorpusChart[] = charts
  .map((chart) => ({ ...chart, archive: join(folder, `${chart.name}.tgz`) }))
  .filter(({ archive }) => existsSync(archive))
