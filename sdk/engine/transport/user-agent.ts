import { version } from './version.js'

/** `vcluster-plugin-sdk/<version>`, with the plugin's name in parentheses if it is known. */
export function formatUserAgent(pluginName?: string): string {
  const product = `vcluster-plugin-sdk/${version}`
  return pluginName ? `${product} (${pluginName.replace(/[^\x21-\x7e]|[()]/g, '-')})` : product
}
