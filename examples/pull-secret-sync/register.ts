import type { Plugin, RegisterContext } from 'vcluster-plugin-sdk'
import { PullSecretSyncer, type PullSecretSyncerOptions } from './pull-secret-syncer.js'

/** Registers the parts of this plugin. `main.ts` calls it, and tests call it with a test plugin. */
export function register(plugin: Plugin, ctx: RegisterContext, options?: PullSecretSyncerOptions): void {
  plugin.register(new PullSecretSyncer(ctx, options))
}
