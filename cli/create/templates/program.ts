import type { PluginDesign } from '../kind/plugin-design.js'
import { syncerCall } from './syncer.js'

/** The plugin's program. Its name counts where the environment tells none, which is when it runs on its own. */
export function mainFile({ name }: PluginDesign): string {
  return `import { plugin } from 'vcluster-plugin-sdk'
import { register } from './register.js'

const ctx = await plugin.init({ name: '${name}' })
register(plugin, ctx)
await plugin.start()
`
}

/** What the plugin is made of. */
export function registerFile(design: PluginDesign): string {
  const { name, call } = syncerCall(design)
  return `import type { Plugin, RegisterContext } from 'vcluster-plugin-sdk'
import { ${name} } from './${design.kind.names.file}-syncer.js'

/** Registers what this plugin is made of: called by \`main.ts\`, and by tests with a plugin of their own. */
export function register(plugin: Plugin, ctx: RegisterContext): void {
  plugin.register(${call})
}
`
}
