import { createHash } from 'node:crypto'
import { configMaps, deployments, keyOf } from 'vcluster-plugin-sdk'
import { controller, type Operator, watch } from 'vcluster-plugin-sdk/operator'
import { apps } from './apps.js'

/** A Deployment whose Pods are replaced when the ConfigMap with the name of the App changes. */
const appController = controller(apps, {
  owns: [deployments],
  watches: [watch(configMaps, { keys: (configMap) => [keyOf(configMap)] })],
  async reconcile(ctx, { metadata, spec }) {
    const { name = '' } = metadata
    const settings = JSON.stringify(ctx.store(configMaps).get(ctx.key)?.data ?? {})
    const digest = createHash('sha256').update(settings).digest('hex').slice(0, 16)
    const labels = { app: name }
    await ctx.apply(deployments, {
      metadata: { name },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations: { 'recipes.my.domain/settings': digest } },
          spec: { containers: [{ name: 'main', image: spec.image }] },
        },
      },
    })
  },
})

export function register(operator: Operator): void {
  operator.register(appController)
}
