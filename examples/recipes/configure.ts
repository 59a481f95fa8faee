import { configMaps, mirrorDown, type Plugin, type RegisterContext } from 'vcluster-plugin-sdk'
import * as z from 'zod'

/** `plugins.<name>.config` of the vcluster's values, or `PLUGIN_CONFIG`. */
const schema = z.object({ skip: z.array(z.string()).default([]) })

export function register(plugin: Plugin, ctx: RegisterContext): void {
  const { skip } = ctx.config(schema)
  plugin.register(
    mirrorDown(ctx, configMaps, { select: ({ metadata }) => !skip.includes(metadata.namespace ?? '') }),
  )
}
