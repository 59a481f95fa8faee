import type { Plugin } from 'vcluster-plugin-sdk'
import { AccessPage } from './access-page.js'
import { KeepNamespaces } from './keep-namespaces.js'

/** Registers what this plugin is made of: called by `main.ts`, and by tests with a plugin of their own. */
export function register(plugin: Plugin, kept: readonly string[] = ['default', 'kube-system']): void {
  plugin.register(new KeepNamespaces(kept))
  plugin.register(new AccessPage())
}
