import { mirrorDown, type Plugin, type RegisterContext, services } from 'vcluster-plugin-sdk'

export function register(plugin: Plugin, ctx: RegisterContext): void {
  plugin.register(
    mirrorDown(ctx, services, {
      excludeFields: ['spec.clusterIP', 'spec.clusterIPs', 'spec.ipFamilies', 'spec.ipFamilyPolicy'],
      statusUp: true,
    }),
  )
}
