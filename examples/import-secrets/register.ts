import type { Plugin, RegisterContext } from 'vcluster-plugin-sdk'
import { ImportSecretSyncer } from './import-secret-syncer.js'

/** Registers what this plugin is made of: called by `main.ts`, and by tests with a plugin of their own. */
export function register(plugin: Plugin, ctx: RegisterContext): void {
  plugin.register(new ImportSecretSyncer(ctx))
}
