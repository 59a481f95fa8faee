import type { CorpusChart } from '../../test/helm/corpus-charts.js'
import { namespace, withCluster } from './cluster.js'
import { withEndedJobs } from './ended-jobs.js'
import type { ChartFigures } from './measure-chart.js'
import { timed } from './timed-shell.js'

/** Measures `helm install` of a chart, and `helm upgrade` of one field. */
export function measureHelmChart(
  program: string,
  { archive, values = {}, change }: CorpusChart,
): Promise<Partial<ChartFigures>> {
  return withCluster({ controllerManager: true }, ({ cluster, client }) =>
    withEndedJobs(client, async () => {
      const env = {
        PATH: process.env.PATH,
        HOME: cluster.kubeconfigFile.replace(/[^/]*$/, ''),
        KUBECONFIG: cluster.kubeconfigFile,
        HELM_NAMESPACE: namespace,
        HELM: program,
        CHART: archive,
      }
      const helm = (verb: string, flags: object) =>
        timed(`"$HELM" ${verb} bench "$CHART" --set-json "$VALUES" >/dev/null`, {
          ...env,
          VALUES: JSON.stringify(flags),
        })
      const installed = await helm('install', values)
      const upgraded = await helm('upgrade', { ...values, ...change })
      return {
        installCpu: installed.cpuSeconds,
        installSeconds: installed.seconds,
        upgradeCpu: upgraded.cpuSeconds,
        upgradeSeconds: upgraded.seconds,
      }
    }),
  )
}
