import { deployments, secrets } from 'vcluster-plugin-sdk'
import { functionChart } from 'vcluster-plugin-sdk/helm'

/** The chart of the recipes: a Deployment, and a Secret with a password. Yours is `await loadChart('chart')`. */
export const appChart = functionChart(
  { name: 'app', version: '1.0.0', values: { image: 'nginx:1.29', password: '' } },
  ({ image, password }, { name }) => [
    { ...typeOf(secrets), metadata: { name }, stringData: { password: String(password) } },
    {
      ...typeOf(deployments),
      metadata: { name },
      spec: {
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: { containers: [{ name: 'main', image: String(image) }] },
        },
      },
    },
  ],
)

const typeOf = ({ group, version, kind }: { group: string; version: string; kind: string }) => ({
  apiVersion: group === '' ? version : `${group}/${version}`,
  kind,
})
