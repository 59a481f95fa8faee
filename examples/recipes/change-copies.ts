import { configMaps, mirrorDown, type Plugin, type RegisterContext } from 'vcluster-plugin-sdk'

export function register(plugin: Plugin, ctx: RegisterContext): void {
  plugin.register(
    mirrorDown(ctx, configMaps, {
      transform: ({ data, ...original }) => ({
        ...structuredClone(original),
        data: { ...data, PROXY: 'http://proxy.internal:3128' },
      }),
    }),
  )
}
