import type { Plugin, RegisterContext } from 'vcluster-plugin-sdk'
import { CarSyncer, type CarSyncerOptions } from './car-syncer.js'

/** Registers what this plugin is made of: called by `main.ts`, and by tests with a plugin of their own. */
export function register(plugin: Plugin, ctx: RegisterContext, options?: CarSyncerOptions): void {
  plugin.register(new CarSyncer(ctx, options))
}
