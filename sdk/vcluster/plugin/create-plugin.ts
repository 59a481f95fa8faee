import { checkOptions, type OptionTypes } from '../../engine/manager/check-options.js'
import type { Plugin } from './plugin.js'
import type { PluginOptions } from './plugin-options.js'
import { ProcessPlugin } from './process-plugin.js'

const optionTypes: OptionTypes<PluginOptions> = {
  env: 'object',
  logger: 'object',
  metrics: 'object',
  clock: 'object',
  containsRejections: 'any',
  onRunEnd: 'any',
  stopDeadlineMs: 'any',
}

/**
 * Makes the plugin of a process. It stops at SIGTERM and SIGINT, and serves health and metrics at `METRICS_ADDRESS`, by
 * default on loopback at a free port. Most programs use the ready-made `plugin`; a program with its own logger or
 * metrics makes one.
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
  checkOptions('createPlugin', options, optionTypes)
  return new ProcessPlugin(options)
}
