import { createPlugin } from './create-plugin.js'
import type { Plugin } from './plugin.js'

/**
 * The plugin of this process: `await plugin.init()`, `plugin.register(...)`, `await plugin.start()`. It is made by
 * `createPlugin()`, and does nothing until `init` is called.
 */
export const plugin: Plugin = createPlugin()
