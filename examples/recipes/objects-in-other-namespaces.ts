import { configMaps } from 'vcluster-plugin-sdk'
import { controller, type Operator } from 'vcluster-plugin-sdk/operator'
import { apps } from './apps.js'

/** A ConfigMap in each namespace that the App lists. It goes with the App, or when its namespace leaves the list. */
const appController = controller(apps, {
  owns: [configMaps],
  async reconcile(ctx, { metadata, spec }) {
    for (const namespace of spec.namespaces ?? [])
      await ctx.apply(configMaps, {
        metadata: { namespace, name: `${metadata.namespace}-${metadata.name}` },
        data: { image: spec.image },
      })
  },
})

export function register(operator: Operator): void {
  operator.register(appController)
}
