import { mirrorUp, type Plugin, type RegisterContext, secrets, storageClasses } from 'vcluster-plugin-sdk'

export function register(plugin: Plugin, ctx: RegisterContext): void {
  plugin.register(mirrorUp(ctx, storageClasses))
  plugin.register(mirrorUp(ctx, secrets, { mappings: { 'shared/wildcard-tls': 'default/tls' } }))
}
