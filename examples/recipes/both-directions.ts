import { configMaps, mirrorBoth, type Plugin, type RegisterContext } from 'vcluster-plugin-sdk'

export function register(plugin: Plugin, ctx: RegisterContext): void {
  plugin.register(
    mirrorBoth(ctx, configMaps, {
      select: ({ metadata }) => metadata.name === 'feature-flags',
      // If both sides changed the data, this side counts.
      onConflict: 'host',
    }),
  )
}
