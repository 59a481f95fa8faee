import type { Plugin } from 'vcluster-plugin-sdk'
import { AccessPage } from './access-page.js'
import { KeepNamespaces } from './keep-namespaces.js'

/** Registers the parts of this plugin. `main.ts` calls it, and tests call it with a test plugin. */
export function register(plugin: Plugin, kept: readonly string[] = ['default', 'kube-system']): void {
  plugin.register(new KeepNamespaces(kept))
  plugin.register(new AccessPage())
}
