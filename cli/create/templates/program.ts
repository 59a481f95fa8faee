import type { PluginDesign } from '../kind/plugin-design.js'
import { syncerCall } from './syncer.js'

/** The plugin's program. The name is used if the environment sets none, as in standalone mode. */
export function mainFile({ name }: PluginDesign): string {
  return `import { plugin } from 'vcluster-plugin-sdk'
import { register } from './register.js'

const ctx = await plugin.init({ name: '${name}' })
register(plugin, ctx)
await plugin.start()
`
}

/** The function that registers the plugin's parts. */
export function registerFile(design: PluginDesign): string {
  const { name, call } = syncerCall(design)
  return `import type { Plugin, RegisterContext } from 'vcluster-plugin-sdk'
import { ${name} } from './${design.kind.names.file}-syncer.js'

/** Registers the parts of this plugin. \`main.ts\` calls it, and tests call it with a test plugin. */
export function register(plugin: Plugin, ctx: RegisterContext): void {
  plugin.register(${call})
}
`
}
