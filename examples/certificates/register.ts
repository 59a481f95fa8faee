import { ensureCRD, ensureCRDPermissions, type Plugin, type RegisterContext } from 'vcluster-plugin-sdk'
import { crdOf } from 'vcluster-plugin-sdk/operator'
import { certificateController } from './certificate-controller.js'
import { configOf } from './config.js'
import { certificates } from './kinds.js'

/** Registers the parts of this plugin. `main.ts` calls it, and tests call it with a test plugin. */
export function register(plugin: Plugin, ctx: RegisterContext): void {
  plugin.register({
    name: 'definition',
    permissions: ensureCRDPermissions(),
    init: async () => void (await ensureCRD(ctx, { definition: crdOf(certificates) })),
  })
  plugin.register(certificateController(ctx, configOf(ctx)))
}
