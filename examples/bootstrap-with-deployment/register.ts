import type { Plugin } from 'vcluster-plugin-sdk'
import { Bootstrap } from './bootstrap.js'

/** Registers what this plugin is made of: called by `main.ts`, and by tests with a plugin of their own. */
export function register(plugin: Plugin): void {
  plugin.register(new Bootstrap())
}
