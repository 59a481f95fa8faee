/** src/plugin.ts: the name of the plugin and its parameters. */
export const pluginFile = (
  plugin: string,
) => `import type { CnpgPluginOptions } from 'vcluster-plugin-sdk/cnpg'
import * as z from 'zod'

/**
 * The parameters of a Cluster. All are texts there, and the schema reads them. A strict object refuses names that it
 * does not have, such as a misspelled one.
 */
export const parameters = z.strictObject({
  team: z.string().min(1).describe('The team that owns the database. It cannot be changed.'),
  tier: z.enum(['bronze', 'silver', 'gold']).default('bronze').describe('How important the database is.'),
})

/** The parameters as the hooks get them. */
export type Parameters = z.infer<typeof parameters>

/** The plugin. Clusters name it in \`spec.plugins\`. */
export const options = {
  name: '${plugin}',
  version: '0.1.0',
  maturity: 'alpha',
  parameters,
} satisfies CnpgPluginOptions<Parameters>
`

/** src/hooks.ts: hooks for the Pods and the Cluster. */
export const hooksFile = `import { addSidecar, type CnpgPlugin } from 'vcluster-plugin-sdk/cnpg'
import type { Parameters } from './plugin.js'

/** The labels of the Pods. */
export const labels = { team: 'example.com/team', tier: 'example.com/tier' }

/** Registers the hooks. \`main.ts\` calls it, and tests call it with a test plugin. */
export function register(plugin: CnpgPlugin<Parameters>): void {
  plugin.pods({
    // Its edits become a patch. The same Pod must get the same patch each time, or the operator restarts it.
    instance(ctx, pod) {
      const { team, tier } = ctx.parameters
      pod.metadata.labels = { ...pod.metadata.labels, [labels.team]: team, [labels.tier]: tier }
      // A container that does not ask Postgres for anything. README.md, "Archive WAL", has one with the files of
      // Postgres.
      if (tier === 'gold') addSidecar(pod, { name: 'pauser', image: 'registry.k8s.io/pause:3.10' })
    },
  })
  plugin.cluster({
    default: (ctx, cluster) => ctx.writeParameters(cluster),
    // The SDK refuses parameters that do not fit the schema.
    validateCreate() {},
    validateChange(ctx, old) {
      const before = ctx.parametersOf(old)
      if (before && before.team !== ctx.parameters.team) ctx.refuse(['team'], 'cannot be changed')
    },
  })
}
`

/** src/main.ts: the program. */
export const mainFile = `import { createCnpgPlugin } from 'vcluster-plugin-sdk/cnpg'
import { register } from './hooks.js'
import { options } from './plugin.js'

const plugin = createCnpgPlugin(options)
register(plugin)
await plugin.start()
`
