import type { Plugin } from './plugin.js'
import type { PluginOptions } from './plugin-options.js'
import { createPluginRuntime } from './plugin-runtime.js'

/**
 * Creates a plugin. Most programs use the ready-made `plugin`; a program with its own logger or metrics creates one.
 *
 * @example
 * ```ts
 * const plugin = createPlugin({ logger: silentLogger, stopDeadlineMs: 5000 })
 * const { virtual } = await plugin.init()
 * plugin.register({
 *   name: 'reader',
 *   register: async () => void (await virtual.client.list(configMaps)),
 * })
 * await plugin.start()
 * ```
 */
export function createPlugin(options: PluginOptions = {}): Plugin {
  return createPluginRuntime(options)
}
