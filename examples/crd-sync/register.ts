import type { Plugin, RegisterContext } from 'vcluster-plugin-sdk'
import { CarSyncer, type CarSyncerOptions } from './car-syncer.js'

/** Registers the parts of this plugin. `main.ts` calls it, and tests call it with a test plugin. */
export function register(plugin: Plugin, ctx: RegisterContext, options?: CarSyncerOptions): void {
  plugin.register(new CarSyncer(ctx, options))
}
