import type { Plugin } from 'vcluster-plugin-sdk'
import { Bootstrap } from './bootstrap.js'

/** Registers the parts of this plugin. `main.ts` calls it, and tests call it with a test plugin. */
export function register(plugin: Plugin): void {
  plugin.register(new Bootstrap())
}
