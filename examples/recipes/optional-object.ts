import { services } from 'vcluster-plugin-sdk'
import { controller, type Operator } from 'vcluster-plugin-sdk/operator'
import { apps } from './apps.js'

/** A Service for each App with a port. Without the port, the next run does not apply the Service, so it is deleted. */
const appController = controller(apps, {
  owns: [services],
  async reconcile(ctx, { metadata, spec }) {
    const { name = '' } = metadata
    if (spec.port !== undefined)
      await ctx.apply(services, {
        metadata: { name },
        spec: { selector: { app: name }, ports: [{ name: 'main', port: spec.port }] },
      })
    ctx.condition('Ready', true, 'Applied')
  },
})

export function register(operator: Operator): void {
  operator.register(appController)
}
