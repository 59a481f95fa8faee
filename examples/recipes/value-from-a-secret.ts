import { formatKey, secrets } from 'vcluster-plugin-sdk'
import { helmController } from 'vcluster-plugin-sdk/helm'
import type { Operator } from 'vcluster-plugin-sdk/operator'
import { appChart } from './app-chart.js'
import { apps } from './apps.js'

/** The password of the chart is that of the Secret `<name>-password`, not text in the App that others may read. */
export function register(operator: Operator): void {
  operator.register(
    helmController({
      resource: apps,
      chart: appChart,
      permissions: [{ resource: secrets, verbs: ['get'] }],
      preHooks: [
        async ({ ctx, values, resource: { metadata } }) => {
          const key = { namespace: metadata.namespace ?? '', name: `${metadata.name}-password` }
          const { data } = await ctx.client.get(secrets, key)
          if (!data?.password) throw new Error(`Secret ${formatKey(key)} has no key password; add it`)
          values.password = Buffer.from(data.password, 'base64').toString()
        },
      ],
    }),
  )
}
