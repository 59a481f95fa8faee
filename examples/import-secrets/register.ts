import type { Plugin, RegisterContext } from 'vcluster-plugin-sdk'
import { ImportSecretSyncer } from './import-secret-syncer.js'

/** Registers the parts of this plugin. `main.ts` calls it, and tests call it with a test plugin. */
export function register(plugin: Plugin, ctx: RegisterContext): void {
  plugin.register(new ImportSecretSyncer(ctx))
}
