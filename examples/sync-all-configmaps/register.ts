import type { Plugin, RegisterContext } from 'vcluster-plugin-sdk'
import { ConfigMapSyncer, type ConfigMapSyncerOptions } from './configmap-syncer.js'

/** Registers the parts of this plugin. `main.ts` calls it, and tests call it with a test plugin. */
export function register(plugin: Plugin, ctx: RegisterContext, options?: ConfigMapSyncerOptions): void {
  plugin.register(new ConfigMapSyncer(ctx, options))
}
