import type { Plugin, RegisterContext } from 'vcluster-plugin-sdk'
import { ConfigMapSyncer, type ConfigMapSyncerOptions } from './configmap-syncer.js'

/** Registers what this plugin is made of: called by `main.ts`, and by tests with a plugin of their own. */
export function register(plugin: Plugin, ctx: RegisterContext, options?: ConfigMapSyncerOptions): void {
  plugin.register(new ConfigMapSyncer(ctx, options))
}
