import type { Plugin, RegisterContext } from 'vcluster-plugin-sdk'
import { PullSecretSyncer, type PullSecretSyncerOptions } from './pull-secret-syncer.js'

/** Registers what this plugin is made of: called by `main.ts`, and by tests with a plugin of their own. */
export function register(plugin: Plugin, ctx: RegisterContext, options?: PullSecretSyncerOptions): void {
  plugin.register(new PullSecretSyncer(ctx, options))
}
