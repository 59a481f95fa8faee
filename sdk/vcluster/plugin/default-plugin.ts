import { createPlugin } from './create-plugin.js'
import type { Plugin } from './plugin.js'

/**
 * The plugin of this process: `await plugin.init()`, `plugin.register(...)`, `await plugin.start()`. It is one of
 * `createPlugin()`, and inert until `init` is called.
 */
export const plugin: Plugin = createPlugin()
